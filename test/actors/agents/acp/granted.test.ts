import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { Granted } from "../../../../actors/agents/acp/granted.ts";
import type { Json } from "../../../../machines/model.ts";

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-granted-")));
  mkdirSync(join(cwd, "below"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function granted(input: Json): Granted {
  const made = new Granted(cwd);
  made.note({ name: "a tool", kind: "execute", input });
  return made;
}
const covers = (input: Json, [command = "", ...args]: string[], o: { in?: string; env?: string[] } = {}) =>
  granted(input).command({ command, args, cwd: join(cwd, o.in ?? ""), env: o.env ?? [] });

describe("a command (I2)", () => {
  test.each([
    [["git", "status"], true],
    [["sh", "-c", "git status"], true],
    [["/bin/bash", "-lc", "git status"], true],
    [["rm", "-f", "x", "git status"], false],
    [["rm", "git status"], false],
    [["git", "status", "x"], false],
    [["git status"], false],
    [["sh", "-c", "git status", "x"], false],
    [["sh", "-x", "git status"], false],
    [["./mine/shx", "-c", "git status"], false],
    [["./bash", "-c", "git status"], false],
    [["/tmp/sh", "-c", "git status"], false],
    [["/usr/bin/../../tmp/sh", "-c", "git status"], false],
    [["/usr/local/bin/zsh", "-lc", "git status"], true],
  ])("that was shown as a text covers %j: %s", (argv, is) => {
    expect(covers({ command: "git status" }, argv)).toBe(is);
  });
  it("with signs of a shell covers that shell's text alone", () => {
    const command = "git log | head; echo 'a b'";
    expect(covers({ command }, ["bash", "-c", command])).toBe(true);
    expect(covers({ command }, command.split(" "))).toBe(false);
  });
  it("that was shown as an argv covers that one", () => {
    const command = ["git", "commit", "-m", "a b"];
    expect(covers({ command }, command)).toBe(true);
    expect(covers({ command }, ["git", "commit", "-m", "a", "b"])).toBe(false);
    expect(covers({ command: ["git", 1] }, ["git", "1"])).toBe(false);
  });
  it("covers nothing with variables, and nothing in another folder", () => {
    const command = "git status";
    expect(covers({ command }, ["git", "status"], { env: ["GIT_CONFIG_COUNT"] })).toBe(false);
    expect(covers({ command }, ["git", "status"], { in: "below" })).toBe(false);
    expect(covers({ command, cwd: "below" }, ["git", "status"], { in: "below" })).toBe(true);
    expect(covers({ command, cwd: join(cwd, "below") }, ["git", "status"])).toBe(false);
    expect(covers({ command, cwd: "gone" }, ["git", "status"], { in: "gone" })).toBe(false);
  });
});
