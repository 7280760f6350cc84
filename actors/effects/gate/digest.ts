/**
 * The name under which an answer for good is remembered.
 *
 * I1. Two calls have one digest when kind, name, input, edits and locations are the same, whatever the order of their fields.
 *     The agent's own words for a call do not count.
 */
import { createHash } from "node:crypto";
import type { Json } from "../../../machines/model.ts";
import type { ToolQuestion } from "../../agents/agent.ts";

export function digestOf(keeper: string, { kind, name, input, edits = [], locations = [] }: ToolQuestion): string {
  const places = locations.map(({ path, line }) => [path, line ?? null]);
  // What writes nothing keeps the digest that it had before edits were asked about.
  const whole = canonical([keeper, kind, name, input, places, ...(edits.length === 0 ? [] : [[...edits]])]);
  return createHash("sha256").update(whole).digest("hex");
}

/** JSON with the fields of every object in one order. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`);
  return `{${fields.join(",")}}`;
}
