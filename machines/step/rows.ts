/** The rows by which a step says that it begins, tries again, is passed over and ends. */
import type { StepInput } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import { type Fault, own } from "../model.ts";
import { type Attempted, backoffMs, exitFault } from "./attempts.ts";

export const retryRow = (context: Attempted): Row => {
  const { outcome } = context.judgement;
  return tryRow(context, backoffMs(context), outcome.error ?? exitFault(outcome.exitCode));
};

/** An attempt that a crash cut off is made again. Without it, a silent step would show nothing until it ends. */
export const rerunRow = (context: Attempted): Row =>
  tryRow(context, 0, { code: "EXECUTION.STEP.INTERRUPTED", message: "a crash cut it off" });

const tryRow = ({ birth, attempt }: Attempted, delayMs: number, reason: Fault): Row => ({
  type: "step.retrying",
  run: birth.origin.run,
  step: birth.origin.step,
  payload: { name: birth.node.name, attempt, delayMs, reason },
});

export function endRow({ birth, judgement }: Pick<Attempted, "birth" | "judgement">): Row {
  const { status, exitCode, error } = judgement.outcome;
  return {
    type: "step.completed",
    run: birth.origin.run,
    step: birth.origin.step,
    payload: {
      name: birth.node.name,
      kind: birth.node.type,
      status: own(judgement.states, birth.node.name)?.Status === "skipped" ? "skipped" : status,
      exitCode,
      ...(error ? { error } : {}),
    },
  };
}

/** Why a branch was passed over. */
export const passedOverRow = ({ origin }: StepInput, { code, message }: Fault): Row => ({
  type: "notice",
  run: origin.run,
  step: origin.step,
  payload: { severity: "warning", code, message: `${message}: it was skipped` },
});

export const startRow = ({ origin, node, round }: StepInput): Row => ({
  type: "step.started",
  run: origin.run,
  step: origin.step,
  payload: {
    name: node.name,
    kind: node.type,
    title: node.description ?? node.name,
    parallel: origin.parallel,
    ...(round === undefined ? {} : { round }),
  },
});
