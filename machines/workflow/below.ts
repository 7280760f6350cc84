/** The nodes that a container needs to carry: its branches or body, and what these contain in turn. */
import { own } from "../model.ts";
import type { Node, Nodes, StepNode } from "./document.ts";

const NONE: readonly string[] = [];

/** Names directly inside a container; empty for every other node. */
export function within(node: Node): readonly string[] {
  if (node.type === "parallel") return node.branches;
  if (node.type === "for_each" || node.type === "while") return node.body;
  return NONE;
}

const known = new WeakMap<StepNode, Nodes>();

/** All nodes below `node`, by name. A name that does not exist is left out. */
export function nodesBelow(node: StepNode, nodes: Nodes): Nodes {
  const cached = known.get(node);
  if (cached !== undefined) return cached;
  const found: Nodes = {};
  const visit = (name: string): void => {
    const next = own(nodes, name);
    if (next === undefined || Object.hasOwn(found, name)) return;
    found[name] = next;
    for (const inner of within(next)) visit(inner);
  };
  for (const name of within(node)) visit(name);
  known.set(node, found);
  return found;
}
