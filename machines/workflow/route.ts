/**
 * Where control goes after a state has settled. Owners (run and loop) ask; children never decide.
 *
 * I1. The order is: where the child left to, then the first transition that holds, then the state's own
 *     `on_complete` / `on_success` / `on_failure`, then `continue_on_error` as if it had succeeded.
 */
import type { Fault, Outcome } from "../model.ts";
import type { Scope } from "../scope.ts";
import { judge } from "./conditions.ts";
import type { StepNode } from "./document.ts";

/** `goto: null` means that the document names nothing for this outcome. */
export type Route = { goto: string | null } | { fault: Fault };

/** The next state's name after `node` ended with `outcome`, seen from its owner's scope. */
export function route(node: StepNode, outcome: Outcome, left: string | null, scope: Scope): Route {
  if (left !== null) return { goto: left };
  for (const transition of node.transitions) {
    if (transition.when === undefined) return { goto: transition.goto };
    const judged = judge(transition.when, scope);
    if (!judged.ok) return { fault: judged.fault };
    if (judged.holds) return { goto: transition.goto };
  }
  const succeeded = (node.type === "for_each" || node.type === "while" ? node.onComplete : null) ?? node.onSuccess;
  if (outcome.status === "completed") return { goto: succeeded };
  if (node.onFailure !== null) return { goto: node.onFailure };
  return { goto: node.continueOnError ? succeeded : null };
}
