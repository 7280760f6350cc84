/**
 * The steps of one run as rows that a person goes through: what is at work, waits or has failed is open, what went well
 * is folded, and each can be turned. Of a loop the rounds that failed stand first.
 */
import type { StepNode } from "../runs/step-node.ts";
import type { Screen } from "../screen/screen.ts";
import { lineOfStep } from "../screen/step-line.ts";
import { paint } from "../terminal/paint.ts";
import { safeLine } from "../terminal/safe.ts";
import { shorten } from "../terminal/width.ts";
import type { UiPlace } from "./frame.ts";

export type TreeRow = { node: StepNode; depth: number; isOpen: boolean };
/** Rows that were turned, by address. */
export type Turned = ReadonlyMap<string, boolean>;

/** Last lines below a step at work. */
const TAIL = 3;

export function treeRows(roots: readonly StepNode[], turned: Turned, depth = 0): TreeRow[] {
  return roots.flatMap((node) => {
    const isOpen = turned.get(node.address) ?? (node.end === null || node.end.status === "failed");
    const row = { node, depth, isOpen };
    return isOpen ? [row, ...treeRows(failedFirst(node), turned, depth + 1)] : [row];
  });
}
function failedFirst({ about, children, failed }: StepNode): readonly StepNode[] {
  if (failed.length === 0 || (about.kind !== "for_each" && about.kind !== "while")) return children;
  return [...failed, ...children.filter(({ end }) => end?.status !== "failed")];
}

/** Of a row and of its last lines, where it is at work. */
export function rowLines(
  screen: Screen,
  { node, depth, isOpen }: TreeRow,
  { isChosen, isAlive }: { isChosen: boolean; isAlive: boolean },
  { width, now, colours }: UiPlace,
): string[] {
  const paints = paint(colours);
  const margin = "  ".repeat(depth);
  const fold = node.children.length === 0 ? " " : isOpen ? "▾" : "▸";
  const line = lineOfStep(screen, node, { now, isAlive, paint: paints });
  const own = `${isChosen ? paints.bold("❯") : " "} ${margin}${paints.dim(fold)} ${line}`;
  if (node.children.length > 0 || !isOpen) return [shorten(own, width)];
  const tail = screen.tailOf(node, TAIL).map(({ text }) => `      ${margin}${paints.dim("│")} ${safeLine(text)}`);
  return [own, ...tail].map((one) => shorten(one, width));
}

/** The innermost step that failed first; null where none has. */
export function firstFailure(roots: readonly StepNode[]): StepNode | null {
  for (const node of roots) {
    const below = firstFailure(node.children);
    if (below !== null) return below;
    if (node.end?.status === "failed") return node;
  }
  return null;
}
