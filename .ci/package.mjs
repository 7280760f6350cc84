// `npm run package`: is what npm would publish good? Packed from a copy, so that the checkout stays as it is, from the
// dist/ that is there, with types that are built anew.
//   node .ci/package.mjs                 the checks
//   node .ci/package.mjs --only FOLDER   no check and no new types: the tarball is put into FOLDER
// 1. `publint` and `attw` have nothing to say.
// 2. It names no dependency and no script, and each file that it names is in it.
// 3. A strict program compiles against both libraries with no other package than Node's types.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { changeManifest } from "./manifest.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const argv = process.argv.slice(2);
const into = argv[0] === "--only" ? argv[1] : undefined;
/** Node 22 requires a module as it imports one, and nothing older runs Troupe. */
const MODULES_ONLY = new Set(["node10", "node16-cjs"]);
const CONSUMER = `
import { createTroupe, TroupeError } from "troupe";
import { connect, type ConnectOptions } from "troupe/client";
const troupe = createTroupe();
const options: ConnectOptions = { url: "ws://127.0.0.1:1/acp" };
const log = async (): Promise<void> => {
  for (const found of await troupe.list(".")) console.log(found.name);
  const client = await connect(options);
  await client.close();
  const session = await troupe.session({ cwd: "/" });
  const paused$ = { subscribe: (told: { next: (isPaused: boolean) => void }) => (told.next(false), { unsubscribe() {} }) };
  session.log$({ paused$ }).subscribe((frames) => frames.forEach(({ type }) => console.log(type))).unsubscribe();
};
log().catch((error: unknown) => console.log(error instanceof TroupeError ? error.code : error));
`;

const place = mkdtempSync(join(tmpdir(), "troupe-package-"));
const faults = [];
try {
  const { tarball, unpack } = packed();
  if (into === undefined) faults.push(...(await checked(tarball, unpack())));
  else cpSync(tarball, join(into, "troupe.tgz"));
} finally {
  rmSync(place, { recursive: true, force: true });
}
for (const fault of faults) process.stderr.write(`package: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The tarball, and what unpacks it to where a program finds it. */
function packed() {
  const source = join(place, "source");
  mkdirSync(source);
  if (into === undefined) execFileSync(process.execPath, [join(root, ".ci", "types.mjs")], { stdio: "inherit" });
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const one of ["package.json", ...files])
    if (!one.startsWith("!")) cpSync(join(root, one), join(source, one), { recursive: true });
  changeManifest("publish", source);
  const options = ["pack", "--ignore-scripts", "--json", "--pack-destination", place];
  const [{ filename }] = JSON.parse(execFileSync("npm", options, { cwd: source, encoding: "utf8" }));
  const tarball = join(place, filename);
  const unpack = () => {
    const modules = join(place, "consumer", "node_modules");
    mkdirSync(modules, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", modules]);
    renameSync(join(modules, "package"), join(modules, "troupe"));
    return join(modules, "troupe");
  };
  return { tarball, unpack };
}

/** What is wrong with the package. */
async function checked(tarball, folder) {
  const wrong = [];
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const data = Uint8Array.from(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
  for (const message of messages) wrong.push(`publint: ${formatMessage(message, manifest)}`);
  const { problems, types } = await checkPackage(createPackageFromTarballData(data));
  if (!types) wrong.push("attw: the package has no types");
  for (const problem of problems ?? [])
    if (!MODULES_ONLY.has(problem.resolutionKind)) wrong.push(`attw: ${JSON.stringify(problem)}`);

  for (const key of ["scripts", "dependencies", "optionalDependencies", "peerDependencies"])
    if (manifest[key] !== undefined) wrong.push(`package.json: ${key} are for a checkout`);
  const entries = Object.values(manifest.exports).flatMap((entry) => Object.values(Object(entry)));
  for (const path of [...Object.values(manifest.bin), ...entries.filter((entry) => /^\.\//.test(entry))])
    if (!existsSync(join(folder, path))) wrong.push(`package.json: ${path} is not in the tarball`);
  return [...wrong, ...consumed(folder)];
}

/** What the compiler says of a program that uses the libraries, with every check on. */
function consumed(folder) {
  const home = join(folder, "..", "..");
  writeFileSync(join(home, "use.mts"), CONSUMER);
  for (const name of ["@types", "undici-types"])
    if (existsSync(join(root, "node_modules", name)))
      symlinkSync(join(root, "node_modules", name), join(home, "node_modules", name));
  // Neither `types` nor a newer library than that of Node 22 is asked of who installs it.
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const done = spawnSync(process.execPath, [compiler, ...flags, "use.mts"], { cwd: home, encoding: "utf8" });
  return done.status === 0 ? [] : [`a program that uses it does not compile:\n${done.stdout}`];
}
