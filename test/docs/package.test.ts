/**
 * The published package, which brings all it needs. It is installed into an empty prefix, without a registry. Its user
 * has an empty home, Node, and the programs in /usr/bin.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";
import { Started } from "../support/started.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

/** Packs what is built, which is what the other tests run, and installs it with nothing else. */
function installed(): string {
  execFileSync(process.execPath, [join(PROJECT, ".ci", "package.mjs"), "--only", house.root]);
  const prefix = join(house.root, "prefix");
  const argv = ["install", "--global", "--prefix", prefix, "--offline", "--no-audit", "--no-fund"];
  execFileSync("npm", [...argv, join(house.root, "troupe.tgz")], { env: { ...process.env, ...house.env } });
  return prefix;
}

test("installed with nothing else, it plays its demo, runs a first workflow and serves an editor", async () => {
  const prefix = installed();
  const packages = join(prefix, "lib", "node_modules");
  expect(readdirSync(packages)).toEqual(["troupe"]);
  expect(readdirSync(join(packages, "troupe")).sort()).toEqual([
    ...["CHANGELOG.md", "LICENSE", "README.md", "dist", "docs", "package.json"],
  ]);
  const manifest = JSON.parse(readFileSync(join(packages, "troupe", "package.json"), "utf8")) as object;
  for (const key of ["scripts", "dependencies", "devDependencies"]) expect(manifest).not.toHaveProperty(key);

  expect(readFileSync(join(prefix, "share", "man", "man1", "troupe.1"), "utf8")).toContain(".TH");

  const bin = join(house.root, "node-alone");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  const program = join(prefix, "bin", "troupe");
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: house.env["HOME"] ?? "", TMPDIR: house.root };
  const use = (...argv: string[]) => execFileSync(program, argv, { cwd: house.cwd, env, encoding: "utf8" });
  expect(use("demo")).toContain("Done: troupe-demo.txt holds one friendly line.");
  expect(use("init")).toContain("wrote .troupe/workflows/example.yaml");
  expect(use("run", "example", "-i", "name=Ada", "--trust")).toContain("Hello, Ada!");

  const editor = new Editor(new Started([program, "acp"], { cwd: house.cwd, env: { ...env, TROUPE_TRUST: "1" } }));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  expect(await editor.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
}, 120_000);
