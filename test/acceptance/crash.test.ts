/**
 * `kill -9` of `troupe run` at twenty moments, then `troupe resume`.
 *
 * A1. No row that was shown or committed before the crash is lost or changed, and `seq` has no gaps.
 * A2. No finished step runs again. In the end all steps have run.
 * A3. No process of the dead one is left after the sweep.
 * A4. Results from before the crash can be read after it.
 * A5. Another troupe process on the same store, and its children, are not touched.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { childrenOf, type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";

const STEPS = [
  "first",
  ...["left", "middle", "right"],
  ...["a", "b", "c"].flatMap((item) => [`one-${item}`, `two-${item}`]),
  ...["tick-0", "tick-1"],
  "flaky",
  "last",
];
const SEED = 20_260_729;
/** Each moment once early and once late in the run. */
const POINTS = [
  ...["commit.before", "commit.inside", "commit.after"].flatMap((point) => [`${point}:9`, `${point}:20`]),
  ...["work.before", "work.result"].flatMap((point) => [`${point}:6`, `${point}:13`]),
];

let house: House;
let neighbour: Started;
let gate: string;
let held: number[];
let length: number;

beforeAll(async () => {
  house = openHouse(["acceptance/journey.yaml", "acceptance/neighbour.yaml"]);
  gate = join(house.root, "gate");
  neighbour = house.troupe(["run", "neighbour", "--trust", "--format", "json", "-i", `gate=${gate}`]);
  while (!neighbour.lines.some((line) => line.includes('"up\\n"'))) await neighbour.line(neighbour.lines.length + 1);
  held = childrenOf(neighbour.owner);
  open("whole");
  const whole = journey("whole");
  expect(await whole.ended).toEqual({ code: 0, signal: null });
  length = whole.lines.length;
});
afterAll(async () => {
  await house.leave();
});

const traceOf = (name: string): string => join(house.root, `${name}.trace`);
/** Opens the gate before the run's last step. While the gate is closed, the run cannot end before it is killed. */
const open = (name: string): void => writeFileSync(`${traceOf(name)}.gate`, "");
const journey = (name: string, env: { [name: string]: string } = {}): Started => {
  writeFileSync(traceOf(name), "");
  return house.troupe(["run", "journey", "--trust", "--format", "json", "-i", `trace=${traceOf(name)}`], env);
};

/** Numbers in [0, 1), the same in every run of the test. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
const draw = random(SEED);
/** Shares of the log: where in the run the crash comes. */
const shares = Array.from({ length: 10 }, () => Math.round(draw() * 1000) / 1000);

test.each(shares)("killed at the row at %f of its log, a run is resumed", async (share) => {
  const name = `row-${share}`;
  const started = journey(name);
  // Not before the run itself is in the log, and not after its last step has ended.
  const at = 6 + Math.floor(share * (length - 14));
  started.onLine = () => {
    if (started.lines.length === at) started.kill();
  };
  await started.line(at);
  await resumed(name, started);
});

test.each(POINTS)("killed at %s, a run is resumed", async (point) => {
  await resumed(point, journey(point, { TROUPE_FAILPOINT: point }));
});

test("the neighbour is not touched", async () => {
  expect(held).toHaveLength(3);
  expect(childrenOf(neighbour.owner)).toEqual(held);
  writeFileSync(gate, "open");
  expect(await neighbour.ended).toEqual({ code: 0, signal: null });
  expect(childrenOf(neighbour.owner)).toEqual([]);
  const rows = neighbour.lines.map((line) => JSON.parse(line) as Exchange);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
});

async function resumed(name: string, started: Started): Promise<void> {
  expect(await started.ended).toEqual({ code: null, signal: "SIGKILL" });
  const shown = started.lines.map((line) => JSON.parse(line) as Exchange);
  const session = storedSessions(house.store).find((id) =>
    storedRows(house.store, id).some(
      (row) => row.type === "run.started" && row.payload.inputs["trace"] === traceOf(name),
    ),
  );
  if (session === undefined) throw new Error("the run is not in the log: the moment is too early");
  const before = storedRows(house.store, session);
  expect(before.slice(0, shown.length)).toEqual(shown);
  const finished = before.filter((row) => row.type === "step.completed").map((row) => row.step ?? "");
  const begunBefore = begun(name);

  const run = before.find((row) => row.type === "run.started")?.run ?? "";
  open(name);
  const again = house.troupe(["resume", run, "--recover=rerun", "--format", "json"]);
  expect({ ...(await again.ended), stderr: again.stderr }).toEqual({ code: 0, signal: null, stderr: "" });

  expect(childrenOf(started.owner)).toEqual([]);
  expect(childrenOf(again.owner)).toEqual([]);
  expect(childrenOf(neighbour.owner)).toEqual(held);
  const after = storedRows(house.store, session);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.map(({ seq }) => seq)).toEqual(after.map((_, index) => index + 1));
  expect(again.lines.map((line) => JSON.parse(line))).toEqual(after.slice(before.length));

  const completed = after.filter((row) => row.type === "step.completed");
  expect(completed.map(({ payload }) => payload.status)).toEqual(completed.map(() => "completed"));
  expect(new Set(completed.map(({ step }) => step)).size).toBe(completed.length);
  const repeated = after
    .slice(before.length)
    .filter((row) => row.type === "step.started" && finished.includes(row.step ?? ""));
  expect(repeated).toEqual([]);
  const trace = readFileSync(traceOf(name), "utf8").trim().split("\n");
  expect(STEPS.filter((step) => !trace.includes(`end ${step}`))).toEqual([]);
  const labels = finished.map(labelOf).filter((label) => STEPS.includes(label));
  expect(labels.map((label) => [label, begun(name).get(label)])).toEqual(labels.map((l) => [l, begunBefore.get(l)]));
  expect(after.filter((row) => row.type === "run.completed").map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ status: "completed", message: "Arrived with one, left, c and tick." }),
  ]);
}

function begun(name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, step = ""] of readFileSync(traceOf(name), "utf8").matchAll(/^begin (.*)$/gm))
    counts.set(step, (counts.get(step) ?? 0) + 1);
  return counts;
}

/** `each/0.one` is `one-a` in the trace, `again/1.tick` is `tick-1`. */
function labelOf(step: string): string {
  const [, loop, index = "", inner = ""] = /^(each|again)\/(\d+)\.(.*)$/.exec(step) ?? [];
  if (loop === undefined) return step.slice(step.lastIndexOf("/") + 1);
  return `${inner}-${loop === "each" ? ["a", "b", "c"][Number(index)] : index}`;
}
