/**
 * `kill -9` of a run with 16 rounds at once, then `troupe resume`.
 *
 * M1. No ended round runs again, and no ended state of a round. In the end each has run once.
 * M2. The results of the rounds are in the order of the items, whatever was killed when.
 * M3. No more than 16 rounds run at once, before and after.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { childrenOf, type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";

const ROUNDS = 48;
const MOST = 16;
let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/many.yaml"]);
});
afterAll(() => house.leave());

const traceOf = (name: string): string => join(house.root, `${name}.trace`);
function many(name: string, env: { [name: string]: string } = {}): Started {
  writeFileSync(traceOf(name), "");
  return house.troupe(["run", "many", "--trust", "--format", "json", "-i", `trace=${traceOf(name)}`], env);
}
const tracesOf = (name: string): string[] => readFileSync(traceOf(name), "utf8").trim().split("\n");

/** Rows of the log after which it is killed: fixed, early and late, while much runs. */
test.each([20, 61, 97, 140, 188, 233])("a run that is killed at row %i is resumed", async (at) => {
  const name = `row-${at}`;
  const started = many(name);
  started.onLine = () => {
    if (started.lines.length === at) started.kill();
  };
  await started.line(at);
  await resumed(name, started);
});

test.each(["commit.inside:30", "commit.after:30", "work.before:20", "work.result:40", "work.result:70"])(
  "a run that is killed at %s is resumed",
  async (point) => {
    await resumed(point, many(point, { TROUPE_FAILPOINT: point }));
  },
);

async function resumed(name: string, started: Started): Promise<void> {
  expect(await started.ended).toEqual({ code: null, signal: "SIGKILL" });
  const session = storedSessions(house.store).find((id) =>
    storedRows(house.store, id).some(
      (row) => row.type === "run.started" && row.payload.inputs["trace"] === traceOf(name),
    ),
  );
  if (session === undefined) throw new Error("the run is not in the log: the moment is too early");
  const before = storedRows(house.store, session);
  const finished = completed(before);
  const run = before.find((row) => row.type === "run.started")?.run ?? "";
  writeFileSync(`${traceOf(name)}.gate`, "");
  const again = house.troupe(["resume", run, "--recover=rerun", "--format", "json"]);
  expect({ ...(await again.ended), stderr: again.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  expect([childrenOf(started.owner), childrenOf(again.owner)]).toEqual([[], []]);

  const after = storedRows(house.store, session);
  expect(after.slice(0, before.length)).toEqual(before);
  const steps = completed(after);
  const rounds = Array.from({ length: ROUNDS }, (_, index) => index);
  expect([...steps].sort()).toEqual(
    [...rounds.flatMap((index) => [`each/${index}.one`, `each/${index}.two`]), "each", "last"].sort(),
  );
  const begunAgain = after.slice(before.length).flatMap((row) => (row.type === "step.started" ? [row.step ?? ""] : []));
  expect(begunAgain.filter((step) => finished.includes(step))).toEqual([]);
  const traces = tracesOf(name);
  for (const step of finished.filter((each) => each.endsWith(".one"))) {
    const index = /\d+/.exec(step)?.[0];
    expect(traces.filter((line) => line === `begin one-${index}`)).toHaveLength(1);
  }
  expect(rounds.filter((index) => !traces.includes(`end one-${index}`))).toEqual([]);
  const files = "abcdefghijkl";
  const lines = rounds.map((index) => {
    const [file, pass] = [files[Math.floor(index / 4)], (index % 4) + 1];
    return `${index} ${file}${pass} completed ${file} of ${pass}`;
  });
  expect(
    readFileSync(`${traceOf(name)}.all`, "utf8")
      .trim()
      .split(/\s*\n\s*/),
  ).toEqual(lines);
  expect(mostAtOnce(after)).toBe(MOST);
}

const completed = (rows: readonly Exchange[]): string[] =>
  rows.flatMap((row) => (row.type === "step.completed" ? [row.step ?? ""] : []));

function mostAtOnce(rows: readonly Exchange[]): number {
  const open = new Set<string>();
  let most = 0;
  for (const { type, step = "" } of rows) {
    if (!step.startsWith("each/")) continue;
    if (type === "step.started") open.add(step);
    if (type === "step.completed") open.delete(step);
    most = Math.max(most, open.size);
  }
  return most;
}
