/**
 * Owns what an expression reads.
 *
 * I1. Every root name it can read is reported, in the order of the source; what cannot be known is marked, never left
 *     out.
 */

import type { Expression, Range } from "./syntax.ts";

/**
 * A chain of members from a root name, as written: `states.a["Output"]` is `["states", "a", "Output"]`. `dynamic` marks
 * a chain that continues with an index only known at evaluation. A shorter path means that the whole value is read.
 * `told`: so much of the path is a reference before it, which a `let` has given a name.
 */
export type Reference = { path: string[]; range: Range; dynamic?: true; told?: number };

export function references(expression: Expression): Reference[] {
  const found: Reference[] = [];
  collect(expression, found);
  return found;
}

/** What the body of a `let` reads: of its own name what that stands for, as far as this is a chain. */
function collectLet(node: Expression & { kind: "let" }, found: Reference[]): void {
  const chain = chainOf(node.value, found);
  if (chain === null) collect(node.value, found);
  const inside: Reference[] = [];
  collect(node.body, inside);
  for (const reference of inside) {
    const [root, ...below] = reference.path;
    if (root !== node.name) found.push(reference);
    else if (chain !== null && !chain.dynamic && below.length > 0)
      found.push({ ...reference, path: [...chain.path, ...below], told: chain.path.length });
  }
}

function collect(node: Expression, found: Reference[]): void {
  if (chainOf(node, found) !== null) return;
  if (node.kind === "let") return collectLet(node, found);
  for (const part of partsOf(node)) collect(part, found);
}

function partsOf(node: Expression): Expression[] {
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "array":
      return node.items;
    case "map":
      return node.entries.map(({ value }) => value);
    case "member":
      return [node.object];
    case "index":
      return [node.object, node.index];
    case "slice":
      return [node.object, node.from, node.to].filter((part) => part !== null);
    case "let":
      return [node.value, node.body];
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.test, node.then, node.otherwise];
    case "call":
      return node.arguments;
    default:
      return node satisfies never;
  }
}

/** Adds the chain that ends in this node, after it what its indexes read; null and nothing added when it is none. */
function chainOf(node: Expression, found: Reference[]): Reference | null {
  if (node.kind === "name") return add({ path: [node.name], range: node.range }, found);
  if (node.kind !== "member" && node.kind !== "index") return null;
  const chain = chainOf(node.object, found);
  if (chain === null) return null;
  const key = node.kind === "member" ? node.name : staticKey(node.index);
  if (node.kind === "index" && key === null) collect(node.index, found);
  if (chain.dynamic) return chain;
  chain.range = node.range;
  if (key === null) chain.dynamic = true;
  else chain.path.push(key);
  return chain;
}

function add(reference: Reference, found: Reference[]): Reference {
  found.push(reference);
  return reference;
}

function staticKey(index: Expression): string | null {
  if (index.kind !== "literal") return null;
  return typeof index.value === "string" || typeof index.value === "number" ? String(index.value) : null;
}
