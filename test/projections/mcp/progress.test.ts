/** Covers `progress.ts`: how far a run is. */
import fc from "fast-check";
import { of } from "rxjs";
import { expect, test } from "vitest";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { type RunProgress, runProgress } from "../../../projections/mcp/progress.ts";
import { Log, stepCompleted, stepStarted } from "../terminal/rows.ts";

const RUN = "r1";
const planned = (names: string[], run = RUN): Row =>
  ({
    ...{ type: "run.started", run },
    payload: { workflow: "w", inputs: {}, plan: names.map((name) => ({ name, title: `Do ${name}`, kind: "command" })) },
  }) as Row;
const retried = (name: string): Row =>
  ({ type: "step.retrying", run: RUN, step: name, payload: { name, attempt: 2, delayMs: 0, reason: {} } }) as Row;
function progress(...batches: readonly Frame[][]): RunProgress[] {
  const told: RunProgress[] = [];
  of(...batches)
    .pipe(runProgress(RUN))
    .subscribe((news) => told.push(news));
  return told;
}
/** Each row in a batch of its own. */
const each = (...rows: Row[]): RunProgress[] => {
  const log = new Log();
  return progress(...rows.map((row) => [log.row(row)]));
};
const words = (told: readonly RunProgress[]) =>
  told.map(({ progress: at, total, message }) => `${at}/${total} ${message}`);

test("rises with what begins, is tried again and ends", () => {
  const rows = [planned(["a", "b"]), stepStarted("a"), retried("a"), stepCompleted("a"), stepStarted("b")];
  expect(words(each(...rows))).toEqual(["0.5/2 Do a", "0.75/2 Do a (attempt 2)", "1/2 Do a: completed", "1.5/2 Do b"]);
});

test("does not reach the number of steps before the run's end (I1)", () => {
  expect(words(each(planned(["a"]), stepStarted("a"), stepCompleted("a")))).toEqual([
    "0.5/1 Do a",
    "0.75/1 Do a: completed",
  ]);
  expect(words(each(planned([]), stepStarted("x"), stepCompleted("x")))).toEqual(["0.5/0 x", "0.75/0 x: completed"]);
});

test("names the item of a round, and a step without a title by its name", () => {
  const round = { item: "src/a", of: 7 } as never;
  expect(words(each(planned(["each"]), stepStarted("each/2.body", { round }), stepStarted("each/2.body#2")))).toEqual([
    "0.5/1 body [src/a] (3 of 7)",
    "0.75/1 body",
  ]);
});

test("one word a batch, the last; none of other runs, live words, and rows that say nothing of it", () => {
  const log = new Log();
  const batch = [planned(["a", "b"]), stepStarted("a"), stepCompleted("a")].map((row) => log.row(row));
  const other = [planned(["z"], "r2"), stepStarted("z", {}, "r2")].map((row) => log.row(row));
  const notice = log.row({ type: "notice", run: RUN, payload: { severity: "info", message: "m" } });
  expect(words(progress(batch, other, [notice], [], [log.row(stepStarted("b")), notice]))).toEqual([
    "1/2 Do a: completed",
    "1.5/2 Do b",
  ]);
  const live = { ...stepStarted("b"), after: 3 } as never;
  expect(progress([live])).toEqual([]);
});

test("always rises, whatever comes (I1)", () => {
  const names = ["a", "b", "c"];
  const row = fc
    .constantFrom(...names)
    .chain((name) => fc.constantFrom(stepStarted(name), stepCompleted(name), retried(name)));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const told = each(planned(names), ...rows).map(({ progress: at }) => at);
      expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
      for (const at of told) expect(at).toBeLessThan(names.length);
    }),
  );
});
