/** The plan of a workflow: what an editor shows as the list of things to do. */
import type { PlanEntry } from "../exchange.ts";
import { own } from "../model.ts";
import { within } from "./below.ts";
import type { Workflow } from "./document.ts";
import { exits } from "./graph.ts";

/**
 * One entry per step that can be reached from `initial`, in the order of a walk that takes the good way first
 * and visits branches and bodies right after their container. Terminals, hidden ones too, are no entries.
 */
export function planEntries(workflow: Workflow): PlanEntry[] {
  const entries: PlanEntry[] = [];
  const seen = new Set<string>();

  /** Adds a step and all that stands inside it; answers where these may go, its own ways first. */
  const place = (name: string): string[] => {
    const node = own(workflow.states, name);
    if (node === undefined || node.type === "terminal" || seen.has(name)) return [];
    seen.add(name);
    entries.push({ name, title: node.description ?? name, kind: node.type });
    const inner = within(node).flatMap(place);
    return [...exits(node), ...inner];
  };

  // An explicit stack: a workflow may be a chain of thousands of states.
  const open = [workflow.initial];
  for (let name = open.pop(); name !== undefined; name = open.pop()) open.push(...place(name).reverse());
  return entries;
}
