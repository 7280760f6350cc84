/** A scripted log: rows with a seq and a time, live chunks after them. */
import type { Exchange, Live, Row, TextRow } from "../../../machines/exchange.ts";

/** Rows of one session, numbered from 1; `at` counts 100 ms from row to row unless a row says `+ms`. */
export class Log {
  #seq = 0;
  #at = 1_000_000;
  row(row: Row, afterMs = 100): Exchange {
    this.#seq += 1;
    this.#at += afterMs;
    return { ...row, seq: this.#seq, at: this.#at };
  }
  live(row: TextRow): Live {
    return { ...row, after: this.#seq };
  }
}

const RUN = "r1";
export const runStarted = (workflow = "demo", inputs = {}, run = RUN, parentRun?: string): Row => ({
  type: "run.started",
  run,
  ...(parentRun === undefined ? {} : { parentRun }),
  payload: { workflow, plan: [], inputs },
});
export const runCompleted = (
  payload: Partial<Extract<Row, { type: "run.completed" }>["payload"]> = {},
  run = RUN,
  parentRun?: string,
): Row => ({
  type: "run.completed",
  run,
  ...(parentRun === undefined ? {} : { parentRun }),
  payload: { workflow: "demo", status: "completed", exitCode: 0, ...payload },
});
type Started = Extract<Row, { type: "step.started" }>["payload"];
type Completed = Extract<Row, { type: "step.completed" }>["payload"];
const nameOf = (step: string): string => step.replace(/^.*[/.]/, "").replace(/#.*$/, "");
export const stepStarted = (step: string, payload: Partial<Started> = {}, run = RUN): Row => ({
  type: "step.started",
  run,
  step,
  payload: { name: nameOf(step), kind: "command", title: nameOf(step), parallel: false, ...payload },
});
export const stepCompleted = (step: string, payload: Partial<Completed> = {}, run = RUN): Row => ({
  type: "step.completed",
  run,
  step,
  payload: { name: nameOf(step), kind: "command", status: "completed", exitCode: 0, ...payload },
});
export const output = (
  step: string,
  offset: number,
  text: string,
  stream: "stdout" | "stderr" = "stdout",
): TextRow => ({
  type: "tool.update",
  run: RUN,
  step,
  payload: { block: `${step}@1.${stream}`, offset, text, stream },
});
export const said = (step: string, offset: number, text: string, ordinal = 1, run = RUN): TextRow => ({
  type: "message.assistant",
  run,
  step,
  payload: { block: `${step}@1.${ordinal}`, offset, text },
});
