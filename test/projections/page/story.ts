/** The log of one run that has everything which the page shows: branches, a retry, a question, a call, rounds of a loop. */
import type { Exchange, Row, StepKind } from "../../../machines/exchange.ts";
import type { Node, Workflow } from "../../../machines/workflow/document.ts";
import { RunHistory } from "../../../projections/page/history.ts";

export const RUN = "r1";
const SECOND = 1_000;

export const started = (step: string, kind: StepKind = "command", run = RUN): Row => ({
  ...{ type: "step.started", run, step },
  payload: { name: nameOf(step), kind, title: `do ${nameOf(step)}`, parallel: false },
});
export const ended = (step: string, status: "completed" | "failed" | "skipped" = "completed", run = RUN): Row => ({
  ...{ type: "step.completed", run, step },
  payload: {
    ...{ name: nameOf(step), kind: "command", status, exitCode: status === "failed" ? 7 : 0 },
    ...(status === "failed" ? { error: { code: "E", message: "it broke" } } : {}),
  },
});
export const said = (step: string, text: string, offset = 0, block = `${step}@1.1`): Row => ({
  ...{ type: "message.assistant", run: RUN, step },
  payload: { block, offset, text },
});
const nameOf = (step: string): string => (step.split("/").at(-1) ?? "").replace(/^\d+\./, "");
/** Rows as the log has them, one a second. */
export const logOf = (rows: readonly Row[]): Exchange[] =>
  rows.map((row, index) => ({ ...row, seq: index + 1, at: (index + 1) * SECOND }) as Exchange);

export const ROWS = logOf([
  { type: "run.started", run: RUN, payload: { workflow: "w", plan: [], inputs: {} } }, // 1
  started("fan", "parallel"), // 2
  started("fan/left", "agent"), // 3
  started("fan/right", "agent"), // 4
  said("fan/left", "one "), // 5
  said("fan/left", "two", 4), // 6
  {
    ...{ type: "permission.requested", run: RUN, step: "fan/right" }, // 7
    payload: {
      ...{ permission: "p1", title: "May it?", kind: "edit", message: "" },
      options: [{ id: "yes", name: "Allow", kind: "allow_once" }],
    },
  },
  { type: "usage.recorded", run: RUN, step: "fan/left", payload: { inputTokens: 10, outputTokens: 5 } }, // 8
  {
    type: "permission.resolved",
    run: RUN,
    step: "fan/right",
    payload: { permission: "p1", outcome: "selected", option: "yes" },
  }, // 9
  ended("fan/left"), // 10
  {
    ...{ type: "step.retrying", run: RUN, step: "fan/right" }, // 11
    payload: { name: "right", attempt: 1, delayMs: 5, reason: { code: "E", message: "busy" } },
  },
  ended("fan/right"), // 12
  ended("fan"), // 13
  started("call", "call_workflow"), // 14
  {
    type: "step.call_workflow.started",
    run: RUN,
    step: "call",
    childRun: "r2",
    payload: { name: "call", workflow: "sub" },
  }, // 15
  {
    type: "run.started",
    run: "r2",
    parentRun: RUN,
    parentStep: "call",
    payload: { workflow: "sub", plan: [], inputs: {} },
  }, // 16
  started("inner", "command", "r2"), // 17
  ended("inner", "failed", "r2"), // 18
  { type: "run.completed", run: "r2", parentRun: RUN, payload: { workflow: "sub", status: "failed", exitCode: 3 } }, // 19
  ended("call", "failed"), // 20
  { type: "session.updated", payload: { title: "of nobody" } }, // 21
  started("each", "for_each"), // 22
  started("each/0.body"), // 23
  ended("each/0.body"), // 24
  started("each/1.body"), // 25
  ended("each/1.body", "failed"), // 26
  ended("each"), // 27
  { type: "run.completed", run: RUN, payload: { workflow: "w", status: "completed", exitCode: 0 } }, // 28
]);

/** What a reader of the log up to a row has. */
export function historyOf(rows: readonly Exchange[] = ROWS): RunHistory {
  const history = new RunHistory(RUN);
  for (const row of rows) history.see(row);
  return history;
}

const bare = { hooks: { pre: [], post: [] }, dependsOn: [], transitions: [] };
const node = (name: string, more: object): Node =>
  ({ ...bare, name, onSuccess: null, onFailure: null, continueOnError: false, ...more }) as unknown as Node;
/** The document of that run. */
export const WORKFLOW = {
  name: "w",
  initial: "fan",
  states: {
    fan: node("fan", { type: "parallel", branches: ["left", "right"], onSuccess: "call", onFailure: "bad" }),
    left: node("left", { type: "agent" }),
    right: node("right", { type: "agent" }),
    call: node("call", { type: "call_workflow", onSuccess: "never", onFailure: "each" }),
    never: node("never", { type: "command", onSuccess: "good" }),
    each: node("each", { type: "for_each", body: ["body"], onComplete: "good" }),
    body: node("body", { type: "command" }),
    good: { type: "terminal", name: "good", status: "success", message: null, exitCode: 0 },
    bad: { type: "terminal", name: "bad", status: "failure", message: null, exitCode: 3 },
  },
} as unknown as Workflow;
