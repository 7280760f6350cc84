/**
 * Where control goes after a state has settled. Owners (run and loop) ask; children never decide.
 *
 * I1. The order is: where the child left to, then the first transition that holds, then the state's own
 *     `on_complete` / `on_success` after a success, and after a failure that `continue_on_error` lets pass;
 *     `on_failure` after any other.
 * I2. A step that a person did not approve was not done: after it only `on_skip` leads on, and a transition whose
 *     condition names `skipped`.
 */
import type { Fault, Outcome } from "../model.ts";
import type { Scope } from "../scope.ts";
import { judge } from "./conditions.ts";
import { FAILURE_EXIT, type StepNode, type Transition } from "./document.ts";

/**
 * `goto: null` means that the document names nothing for this outcome. `warnings`: of the conditions that were judged.
 */
export type Route = ({ goto: string | null } | { fault: Fault }) & { warnings: string[] };

/**
 * The warnings that were not given before, and all that have been given: a condition is judged again and again, and
 * each of its warnings is given once. `given` is made longer by at most what the document's conditions can say.
 */
export function freshOf(warnings: readonly string[], given: string[]): { fresh: string[]; given: string[] } {
  const fresh = [...new Set(warnings)].filter((each) => !given.includes(each));
  return { fresh, given: fresh.length === 0 ? given : [...given, ...fresh] };
}

/** The next state's name after `node` ended with `outcome`, seen from its owner's scope. */
export function route(node: StepNode, outcome: Outcome, left: string | null, scope: Scope): Route {
  if (left !== null) return { goto: left, warnings: [] };
  const seen: Scope = { ...scope, workflow: { ...scope.workflow, CurrentState: node.name } };
  const warnings: string[] = [];
  const isSkipped = outcome.status === "skipped";
  for (const transition of isSkipped ? node.transitions.filter(namesSkipped) : node.transitions) {
    if (transition.when === undefined) return { goto: transition.goto, warnings };
    const judged = judge(transition.when, seen);
    warnings.push(...judged.warnings);
    if (!judged.ok) return { fault: judged.fault, warnings };
    if (judged.holds) return { goto: transition.goto, warnings };
  }
  if (isSkipped) return { goto: node.onSkip ?? null, warnings };
  const succeeded = (node.type === "for_each" || node.type === "while" ? node.onComplete : null) ?? node.onSuccess;
  const goto = outcome.status === "completed" || node.continueOnError ? succeeded : node.onFailure;
  return { goto, warnings };
}

/** Whether a transition is about a step that was skipped. */
export const namesSkipped = ({ when }: Transition): boolean => when !== undefined && /(["'`])skipped\1/.test(when);

export const RUN_SKIPPED = "EXECUTION.RUN.SKIPPED";
/**
 * How an owner ends after a step that was not approved and that names no way on. What was reported of it below is kept.
 */
export const skippedAt = ({ name }: StepNode, { error }: Outcome): Outcome => ({
  status: "skipped",
  exitCode: FAILURE_EXIT,
  error:
    error?.code === RUN_SKIPPED
      ? error
      : { code: RUN_SKIPPED, message: `step "${name}" was not approved, and no on_skip leads on from it` },
});

/** Why a state that went well, or whose failure is let pass, leads nowhere: what was tried, one after the other. */
export function noWayOn(node: StepNode, outcome: Outcome): Fault {
  const loop = node.type === "for_each" || node.type === "while";
  const tried = node.transitions.map(({ when, goto }) => `"${when}", which leads to "${goto}", does not hold`);
  const named = `it names no ${loop ? "on_complete or on_success" : "on_success"}`;
  const how = outcome.status === "completed" ? "has completed" : "has failed, which continue_on_error lets pass";
  return {
    code: "EXECUTION.RUN.NO_WAY_ON",
    message: `"${node.name}" ${how}, and there is no way on: ${[...tried, named].join("; ")}`,
  };
}
