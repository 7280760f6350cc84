import { expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { Downtime } from "../../../projections/runs/downtime.ts";

const row = (type: string, at: number, run?: string): Exchange =>
  ({ type, at, ...(run === undefined ? {} : { run }) }) as unknown as Exchange;
const timesOf = (rows: readonly Exchange[]): { at: number[]; ms: number } => {
  const down = new Downtime();
  return { at: rows.map((one) => down.leftOut(one).at), ms: down.ms };
};

test("what passes from a row of a run to the turn that resumes it was no work (I1)", () => {
  const rows = [
    row("turn.started", 100),
    row("run.started", 110, "r"),
    row("turn.started", 500),
    row("notice", 510, "r"),
  ];
  expect(timesOf(rows)).toEqual({ at: [100, 110, 110, 120], ms: 390 });
});

test("each such time counts; a row of no run is no sign of work", () => {
  const rows = [
    row("turn.started", 0),
    row("notice", 10, "r"),
    row("turn.completed", 40),
    row("turn.started", 50),
    row("notice", 60, "r"),
    row("turn.started", 65),
  ];
  expect(timesOf(rows).ms).toBe(45);
});

test("a clock that went back takes nothing away, and a log without a pause is as it was", () => {
  expect(timesOf([row("turn.started", 100), row("turn.started", 40)])).toEqual({ at: [100, 40], ms: 0 });
  const down = new Downtime();
  const only = row("notice", 7, "r");
  expect(down.leftOut(only)).toBe(only);
});
