import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveCommand } from "../../../actors/acp-client/command.ts";

let folder: string;
const before = process.cwd();
function program(path: string, mode = 0o755): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-command-")));
});
afterEach(() => process.chdir(before));

test("H9: a bare name is found in PATH, never in the working directory", () => {
  program(join(folder, "work", "codex"));
  const good = program(join(folder, "bin", "codex"));
  process.chdir(join(folder, "work"));
  const at = (path: string) => resolveCommand("codex", { path, base: null });
  expect(at(`:.:work:${join(folder, "bin")}`)).toBe(good);
  expect(() => at(":.:")).toThrow(/no agent program "codex"/);
  expect(() => at("")).toThrow(/no agent program/);
});
test("H9: a path that is absolute, or begins at home, is taken as it is", () => {
  const path = program(join(folder, "bin", "agent"));
  expect(resolveCommand(path, { path: "", base: null })).toBe(path);
  expect(resolveCommand("~/bin/agent", { path: "", base: null, home: folder })).toBe(path);
});
test("H9: a relative path counts from the user's configuration, and is refused where there is none", () => {
  const path = program(join(folder, "bin", "agent"));
  expect(resolveCommand("bin/agent", { path: "", base: folder })).toBe(path);
  expect(() => resolveCommand("bin/agent", { path: folder, base: null })).toThrow(/absolute/);
});
test("H9: what is no file, or may not be executed, is passed over", () => {
  mkdirSync(join(folder, "a", "agent"), { recursive: true });
  program(join(folder, "b", "agent"), 0o644);
  const good = program(join(folder, "c", "agent"));
  const path = ["a", "b", "c"].map((name) => join(folder, name)).join(":");
  expect(resolveCommand("agent", { path, base: null })).toBe(good);
});
test("H11: a missing command is an error of its own that names the places that were searched", () => {
  expect(() => resolveCommand("nobody", { path: "/a:/b", base: null })).toThrow(
    expect.objectContaining({
      type: "agentNotFound",
      code: "USER.CLIENT.AGENT_NOT_FOUND",
      details: { command: "nobody", searched: ["/a", "/b"] },
    }),
  );
  const long = ["/a", "/b", "/a", "/c", "/d", "/b", "/e"].join(":");
  expect(() => resolveCommand("nobody", { path: long, base: null })).toThrow(
    'there is no agent program "nobody" in /a, /b, /c and 2 more folders of PATH: install it, or give its full path',
  );
  expect(() => resolveCommand("a b", { path: "/bin:/usr/bin", base: null })).toThrow(/no agent program "a b"/); // H4
});
