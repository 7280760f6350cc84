// `npm run single`: Troupe as one file for this system, with Node inside, by Node's SEA. It takes the dist/ that is there,
// and writes `single/troupe-<version>-<platform>-<arch>` with its SHA-256 beside it. What is made here runs on systems like
// this one alone. It is tried before it is done: the demo, which starts a second process of it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { inject } from "postject";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"; // Node's own mark of where the program goes
const BESIDE = ["package.json", "LICENSE"];

const files = {};
for (const name of [
  ...BESIDE,
  ...readdirSync(join(root, "dist"), { recursive: true }).map((one) => join("dist", one)),
]) {
  const path = join(root, name);
  if (statSync(path).isFile() && !name.startsWith(join("dist", "types"))) files[name] = readFileSync(path, "base64");
}
const packed = gzipSync(JSON.stringify(files));
const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

const folder = mkdtempSync(join(tmpdir(), "troupe-single-"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const windows = process.platform === "win32";
const target = join(root, "single", `troupe-${version}-${process.platform}-${process.arch}${windows ? ".exe" : ""}`);
try {
  writeFileSync(join(folder, "files"), packed);
  writeFileSync(join(folder, "name"), `program-${hashOf(packed).slice(0, 16)}`);
  const config = {
    main: join(root, ".ci", "single", "main.cjs"),
    output: join(folder, "blob"),
    disableExperimentalSEAWarning: true,
    assets: { files: join(folder, "files"), name: join(folder, "name") },
  };
  writeFileSync(join(folder, "sea.json"), JSON.stringify(config));
  execFileSync(process.execPath, ["--experimental-sea-config", join(folder, "sea.json")], { stdio: "inherit" });
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(process.execPath, target);
  chmodSync(target, 0o755);
  const mac = process.platform === "darwin";
  if (mac) execFileSync("codesign", ["--remove-signature", target]);
  await inject(target, "NODE_SEA_BLOB", readFileSync(join(folder, "blob")), {
    sentinelFuse: FUSE,
    ...(mac ? { machoSegmentName: "NODE_SEA" } : {}),
  });
  if (mac) execFileSync("codesign", ["--sign", "-", target]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), TMPDIR: folder };
  const said = execFileSync(target, ["demo"], { cwd: folder, env, encoding: "utf8" });
  if (!said.includes("Done: troupe-demo.txt holds one friendly line."))
    throw new Error(`the demo did not end well:\n${said}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(`${target}.sha256`, `${hashOf(readFileSync(target))}  ${basename(target)}\n`);
console.log(`${target}: ${Math.round(statSync(target).size / 1e6)} MB`);
