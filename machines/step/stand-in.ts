/**
 * What takes the place of a step's own agent: the entries of `fallback`, one after another.
 *
 * I1. None is used twice: from one that failed, or has spent its budget, there is no way back.
 * I2. A failure of a provider leads on, before any retry; not where the agent has said something or used a tool, unless
 *     the file says that it may.
 */
import type { Outcome } from "../model.ts";
import type { Fallback, StepNode } from "../workflow/document.ts";

/** Of a provider: that it limits its users or gives no credit, that it is out, that it refuses. */
const OF_PROVIDERS: readonly string[] = [
  "EXECUTION.AGENT.NO_CREDIT",
  "EXECUTION.AGENT.RATE_LIMIT",
  "EXECUTION.AGENT.OVERLOADED",
  "EXECUTION.AGENT.NETWORK",
  "EXECUTION.AGENT.REFUSED",
];
/** Whether another agent follows a failed attempt (I2). */
export function fallsBack(context: Standing & { judgement: { outcome: Outcome; shown?: true } }): boolean {
  const { node } = context.birth;
  const { outcome, shown = false } = context.judgement;
  if (node.type !== "agent" || outcome.status !== "failed" || nextStandIn(context) === null) return false;
  return OF_PROVIDERS.includes(outcome.error?.code ?? "") && (!shown || node.fallbackAfterOutput === true);
}

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
