/**
 * JSON from another program: nothing nested too deep, or with too many entries, is parsed, and no value has a key
 * "__proto__".
 */
import { shapeFault } from "./shape.ts";

export type Message = { readonly [name: string]: unknown };

/** `JSON.parse` makes "__proto__" a key like others; a careless copy of it changes a prototype. */
export function parseJson(text: string): unknown {
  if (!text.includes("__proto__") && !text.includes("\\u")) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value));
}

/** One message, or null for a text that is none. */
export function messageOf(text: string): Message | null {
  if (shapeFault(text) !== null) return null;
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Message) : null;
  } catch {
    return null;
  }
}
