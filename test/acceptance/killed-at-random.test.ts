/**
 * 500 files reviewed 16 at once: `kill -9` at moments that a seed chooses, resumed each time; two that failed are done again,
 * and that is killed and resumed too. One series by default; `TROUPE_KILL_SERIES=20` runs twenty, `TROUPE_KILL_SEED=7` from
 * that seed on.
 *
 * K1. No review that had ended well is done again, whatever was killed when, and in the end each is done once.
 * K2. The rerun begins nothing but the two that failed, and what comes after them.
 * K3. Results stand in the order of the files.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";

const SERIES = Number(process.env["TROUPE_KILL_SERIES"] ?? 1);
const SEED = Number(process.env["TROUPE_KILL_SEED"] ?? 20_261);
const FILES = Array.from({ length: 500 }, (_, index) => `file${index}`);
const FAILING = ["file123", "file400"];
/** So many times the first run is killed, and the second. */
const KILLS = [3, 2] as const;

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/reviews.yaml"]);
  writeFileSync(join(house.cwd, "list.json"), JSON.stringify(FILES));
  mkdirSync(join(house.cwd, "scripts"));
});
afterEach(() => house.leave());

const script = (file: string): void =>
  writeFileSync(join(house.cwd, "scripts", `${file}.yaml`), `- say: "${file} is fine"\n`);
const rowsOf = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
const runs = (): string[] =>
  (existsSync(house.store) ? rowsOf() : []).flatMap((row) => (row.type === "run.started" ? [row.run ?? ""] : []));
const inRun = (run: string): Exchange[] => rowsOf().filter((row) => row.run === run);
const begun = (run: string): string[] =>
  inRun(run).flatMap((row) => (row.type === "step.started" ? [row.step ?? ""] : []));
const reviewed = (run: string): number[] =>
  inRun(run).flatMap((row) =>
    row.type === "step.completed" && row.payload.name === "look" && row.payload.status === "completed"
      ? [Number(/\d+/.exec(row.step ?? "")?.[0])]
      : [],
  );

/** Numbers from 0 on and below `most`, always the same of one seed (mulberry32). */
function chance(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** Killed at this line after the run's first one, or left to its end where that comes earlier. */
async function killed(command: readonly string[], at: number): Promise<void> {
  const started = house.troupe([...command, "--format", "json"]);
  let first: number | null = command[0] === "resume" ? 0 : null;
  started.onLine = (line) => {
    if (first === null && (JSON.parse(line) as Exchange).type === "run.started") first = started.lines.length;
    if (first !== null && started.lines.length - first >= at) started.kill();
  };
  const { code, signal } = await started.ended;
  expect([code, signal, started.stderr]).toEqual(signal === "SIGKILL" ? [null, "SIGKILL", ""] : [0, null, ""]);
}

/** Kills it as often as that, each time at another moment, and lets it come to its end. */
async function survives(command: readonly string[], { kills, moment }: { kills: number; moment: () => number }) {
  const before = runs().length;
  await killed(command, moment());
  const run = runs()[before] ?? "";
  // What was killed with its last words said is over.
  const isOver = (): boolean => inRun(run).some(({ type }) => type === "run.completed");
  for (let left = kills - 1; left >= 0 && !isOver(); left--)
    await killed(["resume", run, "--recover=rerun"], left === 0 ? Number.POSITIVE_INFINITY : moment());
  return run;
}

const seeds = Array.from({ length: SERIES }, (_, index) => SEED + index);
test.each(seeds)("nothing is done twice: seed %i (K1, K2, K3)", { timeout: 180_000 }, async (seed) => {
  const below = chance(seed);
  for (const file of FILES) if (!FAILING.includes(file)) script(file);
  const first = await survives(["run", "reviews", "--trust"], { kills: KILLS[0], moment: () => below(700) });
  expect(reviewed(first)).toHaveLength(FILES.length - FAILING.length);
  for (const file of FAILING) script(file);
  const again = ["rerun", first, "--failed", "--trust"];
  const second = await survives(again, { kills: KILLS[1], moment: () => below(8) });
  const all = [...reviewed(first), ...reviewed(second)];
  expect(all.sort((a, b) => a - b)).toEqual(FILES.map((_, index) => index));
  expect([...new Set(begun(second))].sort()).toEqual(["review", "review/123.look", "review/400.look", "summary"]);
  const summary = inRun(second).flatMap((row) =>
    row.type === "tool.update" && row.step === "summary" && "text" in row.payload ? [row.payload.text] : [],
  );
  const told = summary
    .join("")
    .trim()
    .split(/\s*\n\s*/);
  expect(told.slice(-FILES.length)).toEqual(FILES.map((file) => `${file} completed`));
});
