/** A secret needs to stand in no command line, and where one was put there, no message and no dry run repeats it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type House, openHouse } from "../support/house.ts";

vi.setConfig({ testTimeout: 60_000 });
const TOKEN = "argv-canary-5d41402abc4b2a76";

let house: House;
beforeEach(() => {
  house = openHouse(["security/below.yaml", "security/written.yaml", "security/calls-below.yaml"]);
});
afterEach(() => house.leave());

test.each<[why: string, args: string[], code: number]>([
  ["no name", ["run", "below", "-i", TOKEN], 1],
  ["no name, in JSON", ["run", "below", "--format", "json", "-i", TOKEN], 1],
  ["a flag that does not exist", ["run", "below", `--password=${TOKEN}`], 1],
  ["the same, in JSON", ["run", "below", "--format", "json", `--password=${TOKEN}'s`], 1],
  ["given twice", ["run", "below", "-i", `password=${TOKEN}`, "-i", `password=${TOKEN}`], 1],
  ["a file outside", ["run", "below", "-i", `password=@prompts/../${TOKEN}`], 1],
  ["a file that is not there", ["run", "below", "--format", "json", "-i", `password=@prompts/${TOKEN}`], 1],
  ["an unknown input", ["run", "below", "-i", `passwordd=${TOKEN}`], 1],
  ["a dry run", ["run", "below", "--dry-run", "-i", `password=${TOKEN}`], 0],
  ["a dry run in JSON", ["run", "below", "--dry-run", "--format", "json", "-i", `password=${TOKEN}`], 0],
  ["a dry run of a caller", ["run", "calls-below", "--dry-run", "-i", `api_token=${TOKEN}`], 0],
  ["a limit of the server", ["serve", "--limit", TOKEN], 1],
])("%s", async (_, args, code) => {
  const one = house.troupe(args);
  expect((await one.ended).code).toBe(code);
  const said = one.lines.join("\n") + one.stderr;
  expect(said).not.toBe("");
  expect(said).not.toContain(TOKEN.slice(0, 16));
});

test.each([
  ["padded base64 without a name", ["-i", "YXJndi1jYW5hcnk3UXc5eA=="], "YXJndi1j"],
  ["padded base64 of another length", ["-i", "YXJndi1jYW5hcnk3UXc5eHg="], "YXJndi1j"],
  ["a name that is none", ["-i", "7Qw9canary=x"], "7Qw9canary"],
])("%s", async (_, args, part) => {
  for (const format of [[], ["--format", "json"]]) {
    const one = house.troupe(["run", "below", "--trust", ...format, ...args]);
    expect((await one.ended).code).toBe(1);
    expect(one.lines.join("\n") + one.stderr).toContain("what you gave is no input");
    expect(one.lines.join("\n") + one.stderr).not.toContain(part);
  }
});

test.each(["7Qw9canary", "/7Qw9+canary", "a/b/7Qw9canary", "p@7Qw9canary", "7Qw9canary/x"])(
  "a secret where the workflow stands: %s",
  async (secret) => {
    for (const format of ["text", "json"]) {
      const one = house.troupe(["run", secret, "--format", format]);
      expect((await one.ended).code).toBe(1);
      expect(one.lines.join("\n") + one.stderr).toContain("what you gave");
      expect(one.lines.join("\n") + one.stderr).not.toContain("canary");
    }
  },
);

test("a default is not shown by a dry run", async () => {
  const one = house.troupe(["run", "written", "--dry-run"]);
  expect((await one.ended).code).toBe(0);
  expect(one.lines.join("\n")).toContain("api_key=***");
  expect(one.lines.join("\n") + one.stderr).not.toContain("from-the-file");
});

test("a value comes from standard input, and is the whole of it but the last line end", async () => {
  writeFileSync(join(house.cwd, "again"), "");
  const one = house.troupe(["run", "written", "--trust", "-i", "api_key=@-"]);
  // Every user can read the command line of a living process.
  const argv = readFileSync(join("/proc", String(one.child.pid), "cmdline"), "latin1");
  one.child.stdin.end(`${TOKEN}\nand more\n`);
  expect((await one.ended).code).toBe(0);
  expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(`${TOKEN}\nand more`);
  expect(argv).not.toContain(TOKEN);
  expect(one.lines.join("\n") + one.stderr).not.toContain("canary");
});

test("two inputs cannot share standard input", async () => {
  const one = house.troupe(["run", "below", "--trust", "-i", "password=@-", "-i", "other=@-"]);
  one.child.stdin.end("x");
  expect((await one.ended).code).toBe(1);
  expect(one.stderr).toContain('one input can be read from standard input, not "password" and "other"');
});
