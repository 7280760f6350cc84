/** Where control may go from a state. Machines, the plan, diagrams and the checks read the same list. */
import { within } from "./below.ts";
import type { Node } from "./document.ts";

/** Every state `node` may hand control to by itself, in the order they would be tried; no branches, no body. */
export function exits(node: Node): string[] {
  if (node.type === "terminal") return [];
  const loop = node.type === "for_each" || node.type === "while";
  const named = [
    loop ? node.onComplete : null,
    node.onSuccess,
    ...node.transitions.map((each) => each.goto),
    node.onFailure,
    node.onSkip ?? null,
    node.isolation?.onConflict ?? null,
  ];
  return [...new Set(named.filter((name) => name !== null))];
}

/** Every state `node` may go to: its branches or body first, then its exits. Each name once. */
export function successors(node: Node): string[] {
  return [...new Set([...within(node), ...exits(node)])];
}
