/** D3: the value of a secret input is in memory alone; who resumes a run gives it again. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";

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
