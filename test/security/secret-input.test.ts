/** D3: the value of a secret input is in memory alone; who resumes a run, or does it again, gives it again. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type House, openHouse, PROGRAM, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";
import { hasTmux, Tmux } from "../support/tmux.ts";

vi.setConfig({ testTimeout: 60_000 });
const TOKEN = "a-token-that-nobody-knows";

let house: House;
let run: string;
beforeEach(async () => {
  house = openHouse(["security/secret-input.yaml"]);
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

test("resumed without it, the step that needs it fails and says so", async () => {
  const again = await resumed();
  expect((await again.ended).code).not.toBe(0);
  expect(again.lines.join("\n")).toContain("the value of api_token is secret");
  expect(existsSync(join(house.cwd, "used"))).toBe(false);
});

/** The first run, ended by the step that lacked the secret. */
async function ended(): Promise<void> {
  await resumed();
}
const rerun = (...args: string[]): Started => house.troupe(["rerun", run, "--failed", "--trust", ...args]);
const again = (): string => {
  const rows = storedSessions(house.store).flatMap((session) => storedRows(house.store, session));
  return rows.findLast(({ type }) => type === "run.started")?.run ?? "";
};
/** Whatever lies in the state folder. */
const kept = (): string =>
  ["", "-wal"].map((end) => (existsSync(house.store + end) ? readFileSync(house.store + end, "latin1") : "")).join("");

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

test.skipIf(!hasTmux)(
  "done again on a terminal, it is asked for and not shown (skipped where there is no tmux)",
  async () => {
    await ended();
    const command = `${process.execPath} ${PROGRAM} rerun ${run} --failed --trust`;
    const terminal = new Tmux(house.root, { columns: 100, rows: 30, cwd: house.cwd, env: house.env, command });
    try {
      await terminal.shows((screen) => screen.includes("? api_token"));
      terminal.type(TOKEN, "Enter");
      const screen = await terminal.shows((text) => text.includes("[ended 0]"));
      expect(screen).not.toContain(TOKEN);
      expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(TOKEN);
    } finally {
      terminal.close();
    }
  },
);
