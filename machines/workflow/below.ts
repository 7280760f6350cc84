/** The nodes that a container needs to carry: its branches or body, and what these contain in turn. */
import { own } from "../model.ts";
import { isWork, type Node, type Nodes, type StepNode } from "./document.ts";

const NONE: readonly string[] = [];

/** Names directly inside a container; empty for every other node. */
export function within(node: Node): readonly string[] {
  if (node.type === "terminal" || isWork(node)) return NONE;
  switch (node.type) {
    case "parallel":
      return node.branches;
    case "for_each":
    case "while":
      return node.body;
    case "call_workflow":
    case "ask":
      return NONE;
    default:
      return node satisfies never;
  }
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
