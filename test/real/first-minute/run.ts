/**
 * `npm run first-minute`: from the tarball to a run in Neovim by the README, on a machine that has Node alone, in under
 * three minutes. The machine is a root of its own without a network: Node with npm, a shell with four programs, Neovim
 * and its two plugins (`test/real/editors/found.ts` says where they are looked for), and nothing else of this one.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { snippetOf } from "../editors/desk.ts";
import { find } from "../editors/found.ts";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAMS = ["sh", "env", "ls", "wc", "tr", "cat"];
const TARBALL = "troupe-0.1.0.tgz";

const found = find("nvim", ["plenary.nvim", "codecompanion.nvim"]);
if (found.missing !== null) {
  process.stderr.write(`first-minute: ${found.missing}\n`);
  process.exit(1);
}
const root = mkdtempSync(join(tmpdir(), "troupe-first-"));
const inRoot = (path: string): string => join(root, path);
const which = (name: string): string => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();

/** A program with the libraries that it is linked to, each at its own place. */
function copyProgram(path: string, to = path): void {
  mkdirSync(dirname(inRoot(to)), { recursive: true });
  cpSync(realpathSync(path), inRoot(to));
  const linked = spawnSync("ldd", [path], { encoding: "utf8" }).stdout;
  for (const [, library = ""] of linked.matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(dirname(inRoot(library)), { recursive: true });
    cpSync(realpathSync(library), inRoot(library));
  }
}

try {
  for (const folder of ["dev", "proc", "tmp", "root/project", "etc"]) mkdirSync(inRoot(folder), { recursive: true });
  writeFileSync(inRoot("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  for (const name of PROGRAMS) copyProgram(which(name), `/bin/${name}`);
  copyProgram("/usr/bin/env");
  copyProgram(process.execPath, "/usr/local/bin/node");
  const npm = dirname(dirname(realpathSync(which("npm"))));
  cpSync(npm, inRoot("usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", inRoot("usr/local/bin/npm"));
  const editor = realpathSync(found.program);
  copyProgram(editor);
  const home = dirname(dirname(editor));
  for (const folder of ["lib", "share"]) cpSync(join(home, folder), join(inRoot(home), folder), { recursive: true });
  for (const plugin of found.plugins)
    cpSync(plugin, inRoot(join("root/.local/share/nvim/site/pack/all/start", basename(plugin))), { recursive: true });

  execFileSync(process.execPath, [join(PROJECT, ".ci", "package.mjs"), "--only", root]);
  cpSync(inRoot("troupe.tgz"), inRoot(`root/project/${TARBALL}`));
  const readme = readFileSync(join(PROJECT, "README.md"), "utf8");
  const wanted = [`npm install --global ./${TARBALL}`, "troupe doctor", "troupe init"];
  const lines = wanted.filter((line) => readme.split("\n").some((one) => one.startsWith(line)));
  if (lines.length < wanted.length) throw new Error(`the README has other words than ${wanted.join(", ")}`);
  writeFileSync(inRoot("plan.json"), JSON.stringify({ lines, setup: snippetOf("README.md", "lua", "codecompanion") }));
  cpSync(fileURLToPath(new URL("./inside.mjs", import.meta.url)), inRoot("inside.mjs"));

  const enter =
    'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" /usr/local/bin/node /inside.mjs';
  const apart = ["--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child"];
  const path = `/usr/local/bin:${dirname(editor)}:/bin:/usr/bin`;
  const env = { PATH: `${path}:/usr/sbin:/sbin`, HOME: "/root", LANG: "C.UTF-8", TERM: "dumb" };
  const done = spawnSync("unshare", [...apart, "sh", "-c", enter, root], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exitCode = done.status ?? 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
