/**
 * Fallbacks through the built program.
 *
 * F1. A limit, an outage or a refusal of a provider leads to the next entry, once each, with one row for each change. A
 *     `kill -9` between two entries does not lead back.
 * F2. An agent that has said something is not replaced, unless the file allows that.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/falling.yaml", "acceptance/spoken.yaml"]);
});
afterAll(() => house.leave());

const rows = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
const changes = (run: string): string[] =>
  rows().flatMap((row) => (row.type === "notice" && row.run === run ? [row.payload.message] : []));
const lastRun = (workflow: string): string =>
  rows().findLast((row) => row.type === "run.started" && row.payload.workflow === workflow)?.run ?? "";
const end = (run: string) => rows().find((row) => row.type === "run.completed" && row.run === run)?.payload;

const WAY = ['step "ask" goes on with understudy: too many', 'step "ask" goes on with understudy: not this'];

test("a limit and a refusal lead to the next entry, also over a kill (F1)", async () => {
  const begun = house.troupe(["run", "falling", "--trust", "--format", "json"], { TROUPE_FAILPOINT: "work.before:2" });
  expect(await begun.ended).toEqual({ code: null, signal: "SIGKILL" });
  const run = lastRun("falling");
  expect(changes(run)).toEqual(WAY.slice(0, 1));
  expect((await house.troupe(["resume", run, "--format", "json"]).ended).code).toBe(0);
  expect(changes(run)).toEqual(WAY);
  expect(end(run)).toMatchObject({ status: "completed", message: "at last" });
});

test("an agent that has spoken is not replaced, unless the file allows that (F2)", async () => {
  await house.troupe(["run", "spoken", "--trust", "--format", "json"]).ended;
  expect(changes(lastRun("spoken"))).toEqual([]);
  const file = join(house.cwd, ".troupe", "workflows", "spoken.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("    fallback:", "    fallback_after_output: true\n    fallback:"));
  await house.troupe(["run", "spoken", "--trust", "--format", "json"]).ended;
  expect(changes(lastRun("spoken"))).toEqual(WAY);
  expect(end(lastRun("spoken"))).toMatchObject({ message: "at last" });
});
