/** The plan of a workflow: what an editor shows as the list of things to do. */
import { own } from "../model.ts";
import type { PlanEntry } from "../exchange.ts";
import type { Workflow } from "./document.ts";
import { successors } from "./graph.ts";

/**
 * One entry per step that can be reached from `initial`, in the order of a walk that takes the good way first
 * and visits branches and bodies right after their container. Terminals, hidden ones too, are no entries.
 */
export function planEntries(workflow: Workflow): PlanEntry[] {
  const entries: PlanEntry[] = [];
  const seen = new Set<string>();
  // An explicit stack: a workflow may be a chain of thousands of states.
  const open = [workflow.initial];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = own(workflow.states, name);
    if (node === undefined || node.type === "terminal" || seen.has(name)) continue;
    seen.add(name);
    entries.push({ name, title: node.description ?? name, kind: node.type });
    open.push(...successors(node).reverse());
  }
  return entries;
}
