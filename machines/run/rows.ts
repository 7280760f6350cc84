/** What a run machine writes and hands on: its first and last row, its hooks, its place as an origin. */
import type { HooksInput } from "../contracts.ts";
import type { RerunOf, Row } from "../exchange.ts";
import type { TakenOver } from "../model.ts";
import { idOf, CANCELLED as NO_MORE, type Origin, type Outcome, RUN_CANCELLED } from "../model.ts";
import { identifierOf } from "../naming/identifier.ts";
import type { Hook } from "../workflow/document.ts";
import { planEntries } from "../workflow/plan.ts";
import { atHome, messageOf, namedEnd, outcomeOf, type RunBirth, type RunContext, scopeOf } from "./walk.ts";

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
    workflow: identifierOf(birth.workflow),
    plan: planEntries(birth.workflow),
    inputs: birth.inputs,
    ...(birth.turn === null ? {} : { turn: birth.turn }),
    ...(birth.taken === undefined ? {} : { rerun: rerunOf(birth.taken) }),
  },
});

function rerunOf({ run, from, round, steps, earlier, differs }: TakenOver): RerunOf {
  const { items = null, next = 0, again = [] } = earlier?.rest ?? {};
  const rounds = earlier === undefined ? {} : { rounds: { taken: next - again.length, of: items?.length ?? next } };
  return {
    ...{ run, from, ...(round === undefined ? {} : { round }) },
    ...{ taken: steps, ...rounds, ...(differs === undefined ? {} : { differs }) },
  };
}

/** In the log of the run that is done again. */
export const rerunRow = ({ self, taken }: RunBirth): Row[] =>
  taken === undefined ? [] : [{ type: "run.rerun", run: taken.run, payload: { by: idOf(self) } }];

export const warningRow = (birth: RunBirth, message: string): Row => ({
  type: "notice",
  ...family(birth),
  payload: { severity: "warning", message },
});

export function endRow({ birth, position, message, outputs }: RunContext): Row {
  const { status, exitCode, error } = outcomeOf(position);
  return {
    type: "run.completed",
    ...family(birth),
    payload: {
      workflow: identifierOf(birth.workflow),
      status,
      exitCode,
      ...(error ? { error } : {}),
      ...(message === null ? {} : { message }),
      ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
    },
  };
}

export const needsConcluding = ({ birth, position }: RunContext): boolean =>
  messageOf(position) !== null ||
  (outcomeOf(position).status === "completed" && Object.keys(birth.workflow.outputs).length > 0);

/** The hooks that belong to how the run ended: AWF's `workflow_end`, `workflow_error`, `workflow_cancel`. */
export function hooksAt({ birth, position }: RunContext): Hook[] {
  const { hooks } = birth.workflow;
  const { status } = outcomeOf(position);
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

/** A failure that its author wrote down says what the author had it say. */
const AUTHORED = "EXECUTION.RUN.FAILED";
function why({ position, message }: RunContext): string {
  const { error } = outcomeOf(position);
  return (error?.code === AUTHORED ? message : null) ?? error?.message ?? "";
}

/** What the end hooks are asked; those of a failed run may name its error (`error.Message`, `.State`, `.ExitCode`, `.Type`). */
export function endHooks(context: RunContext): HooksInput {
  const { birth, position } = context;
  const scope = scopeOf(atHome(context), position, "all");
  const outcome = outcomeOf(position);
  const error =
    outcome.status === "failed"
      ? {
          Message: why(context),
          State: namedEnd(position),
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
