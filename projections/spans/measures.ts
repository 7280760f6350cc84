/** What of a span is counted and measured: numbers with few labels, none of which is an id. */
import type { Attributes, TraceSpan } from "./span.ts";

/** Every number there is, with its unit and what it means. `seconds`: a histogram, the others are sums. */
export const MEASURES = {
  "troupe.turns": { unit: "{turn}", about: "Prompts that were answered" },
  "troupe.runs": { unit: "{run}", about: "Runs of workflows that ended, by workflow and status" },
  "troupe.run.duration": { unit: "s", about: "How long runs took, waiting included" },
  "troupe.steps": { unit: "{step}", about: "Steps that ended, by kind and status" },
  "troupe.step.duration": { unit: "s", about: "How long steps took, retries and waiting included" },
  "troupe.attempts": { unit: "{attempt}", about: "Attempts of steps; what exceeds the steps are retries" },
  "troupe.tool.calls": { unit: "{call}", about: "Calls of tools by agents, by kind and status" },
  "troupe.questions": { unit: "{question}", about: "Permissions and questions that were answered or withdrawn" },
  "troupe.question.wait": { unit: "s", about: "How long they waited" },
  "troupe.tokens": { unit: "{token}", about: "Tokens that agents reported, by direction" },
  "troupe.cost": { unit: "{unit}", about: "What agents cost as far as it is known, by currency" },
} as const;
export type MeasureName = keyof typeof MEASURES;
export type Measure = { name: MeasureName; value: number; labels: Attributes };

export function measuresOf(span: TraceSpan): Measure[] {
  const { kind, attributes } = span;
  const seconds = (span.endedAt - span.startedAt) / 1_000;
  const status = attributes["troupe.status"] ?? "";
  switch (kind) {
    case "session":
      return [];
    case "turn":
      return [{ name: "troupe.turns", value: 1, labels: { stop_reason: attributes["troupe.stop_reason"] ?? "" } }];
    case "run": {
      const labels = { workflow: attributes["troupe.workflow"] ?? "", status };
      return [
        { name: "troupe.runs", value: 1, labels },
        { name: "troupe.run.duration", value: seconds, labels },
      ];
    }
    case "step": {
      const labels = { kind: attributes["troupe.step.kind"] ?? "", status };
      return [
        { name: "troupe.steps", value: 1, labels },
        { name: "troupe.step.duration", value: seconds, labels },
      ];
    }
    case "attempt":
      return [{ name: "troupe.attempts", value: 1, labels: {} }, ...usedIn(attributes)];
    case "tool":
      return [{ name: "troupe.tool.calls", value: 1, labels: { kind: attributes["troupe.tool.kind"] ?? "", status } }];
    case "permission":
    case "question":
      return [
        { name: "troupe.questions", value: 1, labels: { kind } },
        { name: "troupe.question.wait", value: seconds, labels: { kind } },
      ];
    default:
      return kind satisfies never;
  }
}

function usedIn(attributes: Attributes): Measure[] {
  const tokens = (direction: "input" | "output"): Measure[] => {
    const value = attributes[`gen_ai.usage.${direction}_tokens`];
    return typeof value === "number" ? [{ name: "troupe.tokens", value, labels: { direction } }] : [];
  };
  const { "troupe.cost": cost, "troupe.cost.currency": currency = "" } = attributes;
  const costs: Measure[] = typeof cost === "number" ? [{ name: "troupe.cost", value: cost, labels: { currency } }] : [];
  return [...tokens("input"), ...tokens("output"), ...costs];
}
