/**
 * Owns the making of nodes, and the bounds on their nesting.
 *
 * I1. No tree is higher than `MAX_DEPTH`, so what walks a tree may recurse.
 * I2. Reading recurses at most `MAX_DEPTH` times: the bound holds before a node exists.
 */

import { Unreadable } from "./fault.ts";
import { type Expression, MAX_DEPTH, type Range } from "./syntax.ts";

export class Tree {
  /** Heights of the nodes' trees: a leaf is 1. */
  readonly #heights = new WeakMap<Expression, number>();
  #depth = 0;

  node(node: Expression, children: readonly Expression[]): Expression {
    return this.#keep(node, 1 + Math.max(0, ...children.map((child) => this.#height(child))));
  }

  /** The same node with a wider range: parentheses add no height. */
  widened(node: Expression, range: Range): Expression {
    return this.#keep({ ...node, range }, this.#height(node));
  }

  /** Reads something one level further in. `at` is where it starts. */
  nested<T>(at: Range, read: () => T): T {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw tooDeep(at);
    const value = read();
    this.#depth--;
    return value;
  }

  #keep(node: Expression, height: number): Expression {
    if (height > MAX_DEPTH) throw tooDeep(node.range);
    this.#heights.set(node, height);
    return node;
  }

  #height(node: Expression): number {
    return this.#heights.get(node) ?? 1;
  }
}

function tooDeep(range: Range): Unreadable {
  return new Unreadable(`the expression is nested more than ${MAX_DEPTH} levels deep`, range);
}
