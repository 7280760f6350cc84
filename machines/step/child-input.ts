/** The birth of a step, written by its owner: a run, a loop or a parallel. */
import type { Keep, StepInput } from "../contracts.ts";
import { type Origin, own } from "../model.ts";
import { pick, type Scope } from "../scope.ts";
import { nodesBelow } from "../workflow/below.ts";
import { isWork, type Nodes } from "../workflow/document.ts";
import { type Reads, stateReads } from "../workflow/reads.ts";

/** `scope`: with the results of these states at least. */
type ChildPlace = { origin: Origin; name: string; nodes: Nodes; scope: (reads: Reads) => Scope; keep: Keep };

/** Carries only what the step and the nodes below it can read: a child's birth does not grow with the run. */
export function stepInput({ origin, name, nodes, scope, keep }: ChildPlace): StepInput {
  const node = own(nodes, name);
  if (node === undefined || node.type === "terminal") throw new Error(`"${name}" is no step of the document`);
  const reads = stateReads(node, nodes);
  const seen = scope(reads);
  return {
    origin,
    node,
    nodes: nodesBelow(node, nodes),
    scope: {
      ...seen,
      states: pick(seen.states, reads),
      workflow: { ...seen.workflow, CurrentState: name },
    },
    keep: isWork(node) ? [] : keep,
  };
}
