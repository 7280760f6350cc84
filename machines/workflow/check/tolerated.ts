/**
 * Whether a run continues after a step has failed.
 *
 * I1. In doubt it does: a run is refused only for what would end it.
 */
import { own } from "../../model.ts";
import { within } from "../below.ts";
import type { StepNode, Workflow } from "../document.ts";

/** The author has said what comes after a failure, and it is no end in failure. */
function takesFailure(node: StepNode, { states }: Workflow): boolean {
  if (node.continueOnError || node.transitions.length > 0) return true;
  const next = node.onFailure === null ? undefined : own(states, node.onFailure);
  return next !== undefined && !(next.type === "terminal" && next.status === "failure");
}

/** The names of the steps whose failure does not end the run by itself: their own word for it, or that of what holds them. */
export function toleratedSteps(workflow: Workflow): ReadonlySet<string> {
  const tolerated = new Set<string>();
  const open: string[] = [];
  const add = (name: string): void => {
    if (tolerated.has(name)) return;
    tolerated.add(name);
    open.push(name);
  };
  for (const node of Object.values(workflow.states)) {
    if (node.type === "terminal") continue;
    if (takesFailure(node, workflow)) add(node.name);
    if (node.type === "parallel" && node.strategy !== "all_succeed") for (const branch of node.branches) add(branch);
  }
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = own(workflow.states, name);
    if (node !== undefined) for (const member of within(node)) add(member);
  }
  return tolerated;
}
