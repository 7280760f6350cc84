/**
 * The states of a chart as a tree: where each one lies, what it begins in, and which of its transitions an event may take.
 *
 * I1. A chart with anything that no chart of this house has is refused: XState then decides all of its moves.
 */
import type { AnyStateNode, AnyTransitionDefinition } from "xstate";
import { unknown } from "./chart-actions.ts";

/** Throws for a chart with anything that no chart of this house has. */
export function refuseStrange(root: AnyStateNode): void {
  const nodes = [root];
  for (const node of nodes) {
    nodes.push(...Object.values(node.states));
    if (!["atomic", "compound", "final", "parallel"].includes(node.type) || node.invoke.length > 0) unknown(node.id);
    if (node.type === "final" && (node.parent !== root || node.output !== undefined)) unknown(node.id);
    if (node.type === "compound" && node.initial.actions.length > 0) unknown(node.id);
    const transitions = [...node.transitions.values(), ...(node.always ?? [])].flat();
    if (node.type === "parallel" && (node !== root || transitions.length > 0)) unknown(node.id);
    if (node.parent?.type === "parallel" && node.type !== "compound") unknown(node.id);
    if (transitions.some(({ target }) => (target?.length ?? 0) > 1)) unknown(node.id);
  }
  if (Object.keys(root.states).length === 0) unknown(root.id);
}

export const isLeaf = ({ type }: AnyStateNode): boolean => type === "atomic" || type === "final";
/** The states above one, from the inside out, up to a state that is not among them. */
export function above(node: AnyStateNode, end: AnyStateNode | undefined): AnyStateNode[] {
  const found: AnyStateNode[] = [];
  if (node === end) return found;
  for (let next = node.parent; next !== undefined && next !== end; next = next.parent) found.push(next);
  return found;
}
export const isBelow = (node: AnyStateNode, top: AnyStateNode): boolean =>
  node !== top && above(node, undefined).includes(top);
/** The states that a state begins in, from the outside in. */
export function initialBelow(node: AnyStateNode): AnyStateNode[] {
  if (isLeaf(node)) return [];
  const [first] = node.initial.target;
  return first?.parent === node ? [first, ...initialBelow(first)] : unknown(node.id);
}

/** The state that a transition does not leave. */
export function domainOf(to: AnyStateNode, source: AnyStateNode, reenter: boolean): AnyStateNode {
  if (!reenter && (to === source || isBelow(to, source))) return source;
  return above(to, undefined).find((node) => isBelow(source, node)) ?? unknown("a transition of the root");
}

/** The transitions of a state for an event: its own name first, then wildcards, the longest one first. */
export function candidates(node: AnyStateNode, type: string): AnyTransitionDefinition[] {
  const wild = [...node.transitions.keys()].filter((descriptor) => descriptor !== type && isFor(descriptor, type));
  return [type, ...wild.toSorted((a, b) => b.length - a.length)].flatMap((name) => node.transitions.get(name) ?? []);
}
function isFor(descriptor: string, type: string): boolean {
  if (descriptor === "*") return true;
  if (!descriptor.endsWith(".*")) return false;
  const stem = descriptor.slice(0, -2);
  if (stem.includes("*")) return unknown(descriptor);
  return type === stem || type.startsWith(`${stem}.`);
}

/** The states side by side that a machine is in at once; the root itself where there are none. */
export const regionsOf = (root: AnyStateNode): AnyStateNode[] =>
  root.type === "parallel" ? Object.values(root.states) : [root];
