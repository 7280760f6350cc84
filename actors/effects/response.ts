/**
 * What an agent's text is as data: `Response` and `JSON` of a step's result.
 *
 * I1. A text that is a JSON object is always read. With `output_format: json` fences go first and any JSON counts; what
 *     was inside them is `Output`.
 * I2. What is nested too deep is no JSON: what walks through values, to mask or to store them, would not come to its end.
 */
import type { Json } from "../../machines/model.ts";
import { MAX_DEPTH, shapeFault } from "../acp-client/shape.ts";

export type Response =
  | { ok: true; left: { Output?: string; Response?: Json; JSON?: Json } }
  | { ok: false; message: string };

export function responseOf(text: string, format: "json" | "text" | null): Response {
  if (format === "json") {
    const Output = unfenced(text);
    const parsed = parseJson(Output);
    if (!parsed.ok) {
      return { ok: false, message: `output_format is json, but the agent's answer is no JSON: ${parsed.message}` };
    }
    return { ok: true, left: dataOf(Output, parsed.value) };
  }
  if (!text.trimStart().startsWith("{")) return { ok: true, left: {} };
  const parsed = parseJson(text);
  return { ok: true, left: parsed.ok && isObject(parsed.value) ? { Response: parsed.value } : {} };
}

/** What a result has of an answer that was read as JSON. */
export const dataOf = (Output: string, value: Json): { Output: string; Response?: Json; JSON: Json } => ({
  Output,
  JSON: value,
  ...(isObject(value) ? { Response: value } : {}),
});

/** The text inside one Markdown fence; other text as it is. Words around the fence are dropped. */
export function unfenced(text: string): string {
  const whole = text.trim();
  const fence = /(?:^|\n)(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\1[ \t]*(?:\n|$)/.exec(whole);
  return fence === null || parseJson(whole).ok ? whole : (fence[2] ?? "");
}

const isObject = (value: Json): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** A text read as JSON (I2). */
export function parseJson(text: string): { ok: true; value: Json } | { ok: false; message: string } {
  if (shapeFault(text, { maxEntries: Number.POSITIVE_INFINITY }) !== null)
    return { ok: false, message: `it is nested more than ${MAX_DEPTH} deep` };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
