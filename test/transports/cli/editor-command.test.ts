/** How an editor starts Troupe: I1 to I3 of `transports/cli/editor-command.ts`, in folders of files that are no programs. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { editorCommand, systemPath } from "../../../transports/cli/editor-command.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-editor-")));
});
afterEach(() => rmSync(root, { recursive: true }));

function program(...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}
function link(to: string, ...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(to, file);
  return file;
}
const command = (node: string, script: string | undefined, ...path: string[]) =>
  editorCommand({
    env: { PATH: path.map((folder) => join(root, folder)).join(delimiter) },
    node,
    script,
    system: [join(root, "usr/bin")],
  });

it("is the whole path alone where the system's node is the one that runs (I1)", () => {
  const node = program("usr/lib/node");
  link(node, "usr/bin/node");
  const troupe = link(program("usr/lib/troupe.js"), "usr/bin/troupe");
  expect(command(node, troupe, "usr/bin")).toEqual([troupe, "acp"]);
});

it("names its node where the system has another one, or none (I2)", () => {
  const node = program("nvm/bin/node");
  const troupe = link(program("nvm/lib/troupe.js"), "nvm/bin/troupe");
  expect(command(node, troupe, "nvm/bin")).toEqual([node, troupe, "acp"]);
  program("usr/bin/node");
  expect(command(node, troupe, "nvm/bin", "usr/bin")).toEqual([node, troupe, "acp"]);
});

it("names its node as it stands on the PATH, which outlives an update of it (I2)", () => {
  const node = program("cellar/24/node");
  const stays = link(node, "brew/bin/node");
  const troupe = link(program("brew/lib/troupe.js"), "brew/bin/troupe");
  expect(command(node, troupe, "brew/bin")).toEqual([stays, troupe, "acp"]);
});

it("leaves a launcher alone, and a program of one file (I3)", () => {
  const node = program("volta/tools/node");
  const shim = program("volta/bin/troupe");
  expect(command(node, program("volta/tools/troupe.js"), "volta/bin")).toEqual([shim, "acp"]);
  expect(command(shim, shim, "volta/bin")).toEqual([shim, "acp"]);
});

it("names what runs where no troupe is on the PATH", () => {
  const node = program("some/node");
  const script = program("clone/dist/troupe.js");
  expect(command(node, script, "nowhere")).toEqual([node, script, "acp"]);
});

it("knows that a desktop of macOS has no /usr/local/bin", () => {
  expect([systemPath("darwin"), systemPath("linux")].map((each) => each.includes("/usr/local/bin"))).toEqual([
    false,
    true,
  ]);
});
