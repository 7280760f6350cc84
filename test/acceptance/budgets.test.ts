/**
 * Budgets through the built program.
 *
 * B1. What was spent counts over called workflows, a `kill -9` and resumes; no turn begins at or over a limit, and a stop
 *     says what to give, at once and in `status`.
 * B2. A rerun counts from nought with the budget of the earlier run, over a `kill -9` too.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/spending.yaml", "acceptance/spent-below.yaml"]);
});
afterAll(() => house.leave());

const rows = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
const runs = (): string[] =>
  rows().flatMap((row) => (row.type === "run.started" && row.parentRun === undefined ? [row.run ?? ""] : []));
const said = (run: string): string[] =>
  rows().flatMap((row) => (row.type === "notice" && row.run === run ? [row.payload.message] : []));
const turns = (): string[] =>
  rows().flatMap((row) => (row.type === "budget.noted" && row.payload.is === "turn" ? [row.step ?? ""] : []));
const asJson = ["--format", "json"] as const;

test("a limit holds over a called workflow, a kill and resumes (B1)", async () => {
  // Prepared, weighed, worked below; weighed, and killed before its work.
  const begun = house.troupe(["run", "spending", "--trust", ...asJson], { TROUPE_FAILPOINT: "work.before:5" });
  expect(await begun.ended).toEqual({ code: null, signal: "SIGKILL" });
  const [run = ""] = runs();
  expect(turns()).toEqual(["below", "second"]);
  const resumed = house.troupe(["resume", run, ...asJson]);
  expect((await resumed.ended).code).toBe(3);
  expect(turns()).toEqual(["below", "second", "second"]);
  const remedy = `troupe resume ${run} --budget tokens=350`;
  expect(said(run)).toEqual([
    'the budget of workflow "spending" is nearly spent: 100 tokens of 150 tokens',
    `step "third" stops: the budget of workflow "spending" is spent: 200 tokens of 150 tokens; to go on, give a higher limit: ${remedy}`,
  ]);
  expect((await house.troupe(["resume", run, ...asJson]).ended).code).toBe(3);
  expect(turns()).toHaveLength(3);
  const status = house.troupe(["status", run]);
  expect((await status.ended).code).toBe(0);
  expect(status.lines.find((line) => line.startsWith("resume"))).toMatch(new RegExp(` ${remedy}$`));
  const quiet = house.troupe(["resume", run, "--output", "quiet"]);
  expect((await quiet.ended).code).toBe(3);
  expect(quiet.lines).toEqual([`? interrupted: a step has stopped at a budget · ${remedy}`]);
  expect(status.lines.at(-1)).toMatch(new RegExp(`go on, give a higher limit: ${remedy}$`));
  const last = house.troupe(remedy.split(" ").slice(1));
  expect((await last.ended).code).toBe(0);
  expect(turns()).toEqual(["below", "second", "second", "third"]);
});

test("a rerun counts from nought, under the same budget (B2)", async () => {
  const [run = ""] = runs();
  const again = ["rerun", run, "--from", "second", "--trust", ...asJson];
  const begun = house.troupe(again, { TROUPE_FAILPOINT: "work.before:2" });
  expect(await begun.ended).toEqual({ code: null, signal: "SIGKILL" });
  const rerun = runs()[1] ?? "";
  expect((await house.troupe(["resume", rerun, ...asJson]).ended).code).toBe(0);
  expect(turns().slice(4)).toEqual(["second", "second", "third"]);
  expect(said(rerun)).toEqual(['the budget of workflow "spending" is nearly spent: 100 tokens of 150 tokens']);
  // The user's own budget is the lower one, and is taken over by a rerun.
  const limited = house.troupe(["run", "spending", "--trust", "--budget", "agent_turns=1", ...asJson]);
  expect((await limited.ended).code).toBe(3);
  expect(turns().slice(7)).toEqual(["below"]);
});
