/** Rows of a small run at their times, and the spans of them. */
import { from, lastValueFrom, toArray } from "rxjs";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { TraceSpan } from "../../../projections/spans/span.ts";
import { spans } from "../../../projections/spans/spans.ts";

export const rowsOf = (rows: readonly [at: number, row: Row][]): Exchange[] =>
  rows.map(([at, row], index) => ({ ...row, seq: index + 1, at }));
export const spansOf = async (rows: readonly Exchange[], outer: null | { traceId: string; spanId: string } = null) =>
  (await lastValueFrom(from(rows.map((row) => [row])).pipe(spans({ session: "s", outer }), toArray()))).flat();
export const brief = ({ name, parent, startedAt, endedAt }: TraceSpan) => ({
  name,
  parent,
  took: [startedAt, endedAt],
});

export const step = (name: string, more: object = {}): Row => ({
  ...{ type: "step.started", run: "r", step: name },
  payload: { name, kind: "command", title: name, parallel: false, ...more },
});
export const ended = (name: string, status: "completed" | "failed" = "completed"): Row => ({
  ...{ type: "step.completed", run: "r", step: name },
  payload: {
    ...{ name, kind: "command", status, exitCode: status === "failed" ? 1 : 0 },
    ...(status === "failed" ? { error: { code: "EXECUTION.COMMAND.FAILED", message: "exit code 1" } } : {}),
  },
});
export const OPENED: Row = { type: "session.opened", payload: { cwd: "/", principal: "p" } };
export const TURN: Row = { type: "turn.started", payload: { turn: "t" } };
export const RUN: Row = { type: "run.started", run: "r", payload: { workflow: "w", turn: "t", plan: [], inputs: {} } };
export const RUN_END: Row = {
  type: "run.completed",
  run: "r",
  payload: { workflow: "w", status: "completed", exitCode: 0 },
};
export const TURN_END: Row = { type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } };
