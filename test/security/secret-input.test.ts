/** D3: the value of a secret input is in memory alone; who resumes a run, answers it, or does it again, gives it again. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type House, openHouse, PROGRAM, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";
import { hasTmux, Tmux } from "../support/tmux.ts";
import { has, startUi } from "../support/ui.ts";

vi.setConfig({ testTimeout: 60_000 });
const TOKEN = "a-token-that-nobody-knows";

let house: House;
let run: string;
beforeEach(async () => {
  house = openHouse(["security/secret-input.yaml", "security/secret-answer.yaml"]);
  execFileSync("mkfifo", [join(house.cwd, "gate")]);
  const first = house.troupe(["run", "secret-input", "--trust", "-i", `api_token=${TOKEN}`]);
  await holding(first);
  first.kill();
  await first.ended;
  const rows = storedSessions(house.store).flatMap((session) => storedRows(house.store, session));
  run = rows.find(({ type }) => type === "run.started")?.run ?? "";
});
afterEach(() => house.leave());

async function holding(one: Started): Promise<void> {
  while (!one.lines.some((line) => line.includes("holding"))) await one.line(one.lines.length + 1);
}
async function resumed(...inputs: string[]): Promise<Started> {
  const again = house.troupe(["resume", run, "--recover", "rerun", ...inputs]);
  await holding(again);
  writeFileSync(join(house.cwd, "gate"), "go\n");
  await again.ended;
  return again;
}

test("resumed with the value, the step gets it", async () => {
  expect(await (await resumed("-i", `api_token=${TOKEN}`)).ended).toEqual({ code: 0, signal: null });
  expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(TOKEN);
});

test("resumed without it, nothing begins, and it can still be resumed with it", async () => {
  const again = house.troupe(["resume", run, "--recover", "rerun"]);
  expect((await again.ended).code).toBe(1);
  expect(again.lines).toEqual([]);
  expect(again.stderr).toContain("the value of api_token is secret and in no store");
  expect(again.stderr).toContain(`troupe resume ${run} -i api_token=@-`);
  const status = house.troupe(["status", run]);
  await status.ended;
  expect(status.lines.join("\n")).toMatch(/status +interrupted/);
  expect(status.lines.join("\n")).toContain(`troupe resume ${run} -i api_token=@-`);
  expect(await (await resumed("-i", `api_token=${TOKEN}`)).ended).toEqual({ code: 0, signal: null });
});

/** The first run, ended by the step that has the secret. */
async function ended(): Promise<void> {
  mkdirSync(join(house.cwd, "used"));
  expect((await (await resumed("-i", `api_token=${TOKEN}`)).ended).code).not.toBe(0);
  rmdirSync(join(house.cwd, "used"));
}
const rerun = (...args: string[]): Started => house.troupe(["rerun", run, "--failed", "--trust", ...args]);
const again = (): string => {
  const rows = storedSessions(house.store).flatMap((session) => storedRows(house.store, session));
  return rows.findLast(({ type }) => type === "run.started")?.run ?? "";
};
/** Whatever lies in the state folder. */
const kept = (): string =>
  ["", "-wal"].map((end) => (existsSync(house.store + end) ? readFileSync(house.store + end, "latin1") : "")).join("");

/** A run that waits for an answer: its id, and what its process said last. */
async function waiting(...args: string[]): Promise<{ id: string; said: string }> {
  const asking = house.troupe(["run", "secret-answer", "--trust", "-i", `api_token=${TOKEN}`, ...args]);
  asking.child.stdin.end();
  expect(await asking.ended).toEqual({ code: 0, signal: null });
  return { id: again(), said: asking.lines.join("\n") };
}

test.each([["resume", "--answer"], ["decide"]])(
  "an answer by troupe %s without the value is not taken",
  async (command, ...flag) => {
    const { id, said } = await waiting();
    expect(said).toContain(`troupe resume ${id} -i api_token=@- --answer`);
    const refused = house.troupe([command, id, ...flag, "!"]);
    expect((await refused.ended).code).toBe(1);
    expect(refused.stderr).toContain("the value of api_token is secret and in no store");
    const shown = house.troupe(["decide", id]);
    await shown.ended;
    expect(shown.lines.join("\n")).toContain(`troupe resume ${id} -i api_token=@- --answer`);
    const taken = house.troupe([command, id, "-i", "api_token=@-", ...flag, "!"]);
    taken.child.stdin.end(`${TOKEN}\n`);
    expect(await taken.ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(`${TOKEN}!`);
    expect(kept()).not.toContain(TOKEN);
  },
);

test("done again without the value, nothing begins", async () => {
  await ended();
  const refused = rerun();
  expect((await refused.ended).code).toBe(1);
  expect(refused.stderr).toContain("the value of api_token is secret and in no store");
  expect(refused.stderr).toContain("[USER.INPUT.MISSING]");
  expect(again()).toBe(run);
});

test("done again with the value, what was done fits, and the step gets it", async () => {
  await ended();
  const once = rerun("-i", `api_token=${TOKEN}`);
  expect(await once.ended).toEqual({ code: 0, signal: null });
  expect(once.lines.join("\n")).toContain("taken over: hold");
  expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(TOKEN);
  expect(kept()).not.toContain(TOKEN);
});

test("done again, cut off and resumed with the value, the step gets it", async () => {
  await ended();
  const whole = house.troupe(["rerun", run, "--trust", "-i", `api_token=${TOKEN}`]);
  await holding(whole);
  whole.kill();
  await whole.ended;
  expect(again()).not.toBe(run);
  run = again();
  expect(await (await resumed("-i", `api_token=${TOKEN}`)).ended).toEqual({ code: 0, signal: null });
  expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(TOKEN);
  expect(kept()).not.toContain(TOKEN);
});

/** What a terminal shows at the end of a command that asks there for the secret, and then for these words. */
async function onTerminal(args: string[], ...words: [shown: string, typed: string][]): Promise<string> {
  const command = `${process.execPath} ${PROGRAM} ${args.join(" ")}`;
  const terminal = new Tmux(house.root, { columns: 100, rows: 30, cwd: house.cwd, env: house.env, command });
  try {
    for (const [shown, typed] of [["? api_token", TOKEN] as const, ...words]) {
      await terminal.shows((screen) => screen.includes(shown));
      terminal.type(typed, "Enter");
    }
    return await terminal.shows((text) => text.includes("[ended 0]"));
  } finally {
    terminal.close();
  }
}
describe.skipIf(!hasTmux)("on a terminal it is asked for and not shown (skipped where there is no tmux)", () => {
  test("done again", async () => {
    await ended();
    expect(await onTerminal(["rerun", run, "--failed", "--trust"])).not.toContain(TOKEN);
    expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(TOKEN);
  });
  test.each(["resume", "decide"])("parked, by troupe %s: before the question", async (command) => {
    const { id } = await waiting();
    expect(await onTerminal([command, id], ["Go on?", "!"])).not.toContain(TOKEN);
    expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(`${TOKEN}!`);
  });
  test("resumed in the background", async () => {
    const { id } = await waiting();
    expect(await onTerminal(["resume", id, "--detach", "--answer", "!"])).not.toContain(TOKEN);
    const follows = house.troupe(["logs", id, "-f"]);
    await follows.ended;
    expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(`${TOKEN}!`);
  });
  describe("in troupe ui", () => {
    let terminal: Tmux;
    const start = (): void => {
      terminal = startUi(house, { columns: 100, rows: 20 });
    };
    afterEach(() => terminal.close());

    test("an answer that is typed there goes on with the value that is typed behind it", async () => {
      await waiting();
      start();
      await terminal.shows(has("❯ ? secret-answer"));
      terminal.type("a");
      await terminal.shows(has("Go on?"));
      terminal.type("!", "Enter");
      await terminal.shows(has("secret and in no store", "api_token: ▏"));
      terminal.type("Enter");
      await terminal.shows(has("it is needed"));
      terminal.type(TOKEN);
      const typed = await terminal.shows(has(`api_token: ${"•".repeat(TOKEN.length)}▏`));
      expect(typed).not.toContain(TOKEN);
      terminal.type("Enter");
      await terminal.shows(has("✓ secret-answer"));
      expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(`${TOKEN}!`);
      expect(kept()).not.toContain(TOKEN);
    });
    test("who leaves it has sent nothing", async () => {
      const { id } = await waiting();
      start();
      await terminal.shows(has("❯ ? secret-answer"));
      terminal.type("a");
      await terminal.shows(has("Go on?"));
      terminal.type("!", "Enter");
      await terminal.shows(has("api_token: ▏"));
      terminal.type("Escape");
      await terminal.shows(has("nothing was sent: the run waits as before"));
      const status = house.troupe(["status", id]);
      await status.ended;
      expect(status.lines.join("\n")).toMatch(/status +parked/);
    });
    test("done again from what failed", async () => {
      await ended();
      start();
      await terminal.shows(has("❯ ✗ secret-input"));
      terminal.type("R");
      await terminal.shows(has("from what failed of it on? y/n"));
      terminal.type("y");
      await terminal.shows(has("api_token: ▏"));
      terminal.paste(`${TOKEN}\n`);
      await terminal.shows(has(`api_token: ${"•".repeat(TOKEN.length)}▏`));
      terminal.type("Enter");
      await terminal.shows((screen) => /asks|trust/i.test(screen));
      expect(kept()).not.toContain(TOKEN);
    });
  });
});
