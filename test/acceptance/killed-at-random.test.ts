/**
 * 500 files are reviewed, 16 at once. A seed chooses the moments of each `kill -9`, and each time the run is resumed.
 * Two reviews fail and are rerun; the rerun is killed and resumed too. One series by default: `TROUPE_KILL_SERIES=20`
 * plays twenty, `TROUPE_KILL_SEED=7` begins with that seed.
 *
 * K1. No review that had ended well runs again, whatever was killed when. In the end each has run once.
 * K2. The rerun begins only the two that failed, and the steps after them.
 * K3. Results are in the order of the files.
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
/** How often the first run is killed, and the second. */
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

/** Numbers from 0 to below `most`, always the same for one seed (mulberry32). */
function chance(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** Kills it at this line after the run's first one, unless it ends before. */
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

/** Kills it that often, each time at another moment, and then lets it end. */
async function survives(command: readonly string[], { kills, moment }: { kills: number; moment: () => number }) {
  const before = runs().length;
  await killed(command, moment());
  const run = runs()[before] ?? "";
  // A run that was killed after its last row is over.
  const isOver = (): boolean => inRun(run).some(({ type }) => type === "run.completed");
  for (let left = kills - 1; left >= 0 && !isOver(); left--)
    await killed(["resume", run, "--recover=rerun"], left === 0 ? Number.POSITIVE_INFINITY : moment());
  return run;
}

const seeds = Array.from({ length: SERIES }, (_, index) => SEED + index);
test.each(seeds)("nothing runs twice: seed %i (K1, K2, K3)", { timeout: 180_000 }, async (seed) => {
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
