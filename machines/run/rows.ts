/** What a run machine writes and hands on: its first and last row, its hooks, its place as an origin. */
import type { HooksInput } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import { idOf, CANCELLED as NO_MORE, type Origin, type Outcome, RUN_CANCELLED } from "../model.ts";
import type { Hook } from "../workflow/document.ts";
import { planEntries } from "../workflow/plan.ts";
import { type RunBirth, type RunContext, scopeOf } from "./walk.ts";

/** How a run ends that was cancelled: with its code. */
export const CANCELLED: Outcome = {
  ...NO_MORE,
  error: { code: RUN_CANCELLED, message: "the run was cancelled" },
};

export const originOf = ({ self, session, parallel, depth, callers }: RunBirth, step: string): Origin => ({
  run: idOf(self),
  step,
  session,
  parallel,
  depth,
  ...(callers === undefined ? {} : { callers }),
});

const family = ({ self, parentRun }: RunBirth): { run: string; parentRun?: string } => ({
  run: idOf(self),
  ...(parentRun === null ? {} : { parentRun }),
});

export const startRow = (birth: RunBirth): Row => ({
  type: "run.started",
  ...family(birth),
  ...(birth.parentStep === undefined ? {} : { parentStep: birth.parentStep }),
  payload: {
    workflow: birth.workflow.name,
    plan: planEntries(birth.workflow),
    inputs: birth.inputs,
    ...(birth.turn === null ? {} : { turn: birth.turn }),
  },
});

export const warningRow = (birth: RunBirth, message: string): Row => ({
  type: "notice",
  ...family(birth),
  payload: { severity: "warning", message },
});

export function endRow({ birth, position, message, outputs }: RunContext): Row {
  const { status, exitCode, error } = position.outcome ?? { status: "completed" as const, exitCode: 0 };
  return {
    type: "run.completed",
    ...family(birth),
    payload: {
      workflow: birth.workflow.name,
      status,
      exitCode,
      ...(error ? { error } : {}),
      ...(message === null ? {} : { message }),
      ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
    },
  };
}

export const needsConcluding = ({ birth, position }: RunContext): boolean =>
  position.message !== null ||
  (position.outcome?.status === "completed" && Object.keys(birth.workflow.outputs).length > 0);

/** The hooks that belong to how the run ended: AWF's `workflow_end`, `workflow_error`, `workflow_cancel`. */
export function hooksAt({ birth, position }: RunContext): Hook[] {
  const { hooks } = birth.workflow;
  const status = position.outcome?.status ?? "completed";
  switch (status) {
    case "completed":
      return hooks.end;
    case "failed":
      return hooks.error;
    case "cancelled":
    // A person's no has stopped it, and nothing of it is announced as done.
    case "skipped":
      return hooks.cancel;
    default:
      return status satisfies never;
  }
}

/** What the end hooks are asked; those of a failed run may name its error (`error.Message`, `.State`, `.ExitCode`, `.Type`). */
export function endHooks(context: RunContext): HooksInput {
  const { birth, position } = context;
  const scope = scopeOf(birth, position);
  const { outcome } = position;
  const error =
    outcome?.status === "failed"
      ? {
          Message: outcome.error?.message ?? "",
          State: position.last ?? "",
          ExitCode: outcome.exitCode,
          Type: outcome.error?.code ?? "",
        }
      : null;
  return {
    origin: originOf(birth, ""),
    hooks: hooksAt(context),
    scope: error === null ? scope : { ...scope, error },
    stopAtFailure: false,
  };
}
