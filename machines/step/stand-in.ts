/**
 * What goes on in the place of a step's own agent: the entries of `fallback`, one after another.
 *
 * I1. None is used twice: from one that failed, or has spent its budget, there is no way back.
 */
import type { Fallback, StepNode } from "../workflow/document.ts";

type Standing = { birth: { node: StepNode }; standIn?: number };

const fallbacks = (node: StepNode): readonly Fallback[] => (node.type === "agent" ? (node.fallback ?? []) : []);

/** The one that works now; null where the step's own agent does. */
export const standInOf = ({ birth: { node }, standIn = 0 }: Standing): Fallback | null =>
  fallbacks(node)[standIn - 1] ?? null;

/** The one that comes next; null where there is none. */
export const nextStandIn = ({ birth: { node }, standIn = 0 }: Standing): Fallback | null =>
  fallbacks(node)[standIn] ?? null;

/** `claude (opus)`, `the model haiku`, as the file names it. */
export function standInWords({ provider, model }: Fallback): string {
  if (provider === undefined) return `the model ${model ?? ""}`.trim();
  return model === undefined ? provider : `${provider} (${model})`;
}
