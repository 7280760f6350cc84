/** Rows of a log as a budget counts them. */
import type { Exchange, Row } from "../../../machines/exchange.ts";

export const of = (rows: readonly Row[], every = 1_000): Exchange[] =>
  rows.map((row, index) => ({ ...row, seq: index + 1, at: index * every }) as Exchange);
export const run = (id: string, above?: { run: string; step: string }): Row => ({
  type: "run.started",
  run: id,
  ...(above === undefined ? {} : { parentRun: above.run, parentStep: above.step }),
  payload: { workflow: id, plan: [], inputs: {} },
});
export const began = (at: string, step: string): Row => ({
  type: "step.started",
  run: at,
  step,
  payload: { name: step, kind: "agent", title: step, parallel: false },
});
export const ended = (at: string, step: string): Row => ({
  type: "step.completed",
  run: at,
  step,
  payload: { name: step, kind: "agent", status: "completed", exitCode: 0 },
});
let turns = 0;
export const turn = (at: string, step: string): Row => ({
  type: "budget.noted",
  run: at,
  step,
  payload: { is: "turn", turn: `t${turns++}` },
});
export const used = (at: string, step: string, tokens: number, usd?: number): Row => ({
  type: "usage.recorded",
  run: at,
  step,
  payload: {
    inputTokens: tokens,
    ...(usd === undefined ? { unpriced: "m (p)" } : { cost: { amount: usd, currency: "USD" } }),
  },
});
export const RUN = { run: "r", step: null };
