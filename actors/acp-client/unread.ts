/**
 * A message of the agent that is not read, since it is too long, nested too deep, or holds too much. Its beginning tells
 * what is done in its place, so that nobody waits for it.
 *
 * I1. A request of the agent is refused, a request of ours is answered with an error, and an update of a session becomes
 *     one of a kind of its own, which says what is missing.
 * I2. Where the beginning does not tell which of these it is, nothing takes its place.
 */
import { NOT_READ } from "../../machines/not-read.ts";
import { MAX_LINE } from "../base/lines.ts";
import type { Message } from "./json.ts";
import { MAX_DEPTH, MAX_ENTRIES, shapeFault } from "./shape.ts";

/** So much of a message is looked at, in UTF-16 units. */
export const HEAD = 1024;
export const TOO_LONG = `a message may have at most ${MAX_LINE} characters`;

/** Why a whole text is not read, or null. */
export function unreadable(text: string): string | null {
  const fault = shapeFault(text);
  switch (fault) {
    case null:
      return null;
    case "too_deep":
      return `a message may be nested ${MAX_DEPTH} deep`;
    case "too_many_entries":
      return `a message may hold ${MAX_ENTRIES} keys and items`;
    default:
      return fault satisfies never;
  }
}

export { notReadWords } from "../../machines/not-read.ts";

/** `reply` goes to the agent; `hear` comes in place of the message. */
export type Instead = { reply: Message } | { hear: Message };

export function insteadOf(text: string, why: string): Instead | null {
  const { id, method, next, inside } = headOf(text.slice(0, HEAD));
  const isRequest = method !== undefined && id !== undefined;
  const isAnswer = method === undefined && id !== undefined && (next === "result" || next === "error");
  if (isRequest) return { reply: { jsonrpc: "2.0", id, error: { code: -32600, message: `Invalid request: ${why}` } } };
  if (isAnswer)
    return { hear: { jsonrpc: "2.0", id, error: { code: -32600, message: `its answer is not read: ${why}` } } };
  const { sessionId } = inside;
  if (method !== "session/update" || next !== "params" || typeof sessionId !== "string") return null;
  return {
    hear: { jsonrpc: "2.0", method, params: { sessionId, update: { sessionUpdate: NOT_READ, why } } },
  };
}

type Scalars = { [name: string]: string | number };
type Head = { id?: string | number; method?: string; next: string | null; inside: Scalars };

function headOf(head: string): Head {
  const whole = scalarsAt(head, 0);
  const { id, method } = whole.found;
  const inside = whole.next === null ? {} : scalarsAt(head, whole.end).found;
  return {
    ...(id === undefined ? {} : { id }),
    ...(typeof method === "string" ? { method } : {}),
    next: whole.next,
    inside,
  };
}

/** The texts and numbers that an object begins with, and the name of what comes then. */
function scalarsAt(text: string, from: number): { found: Scalars; next: string | null; end: number } {
  const open = /\s*\{/y;
  open.lastIndex = from;
  const found: Scalars = {};
  if (!open.test(text)) return { found, next: null, end: from };
  const pair = /\s*"(\w+)"\s*:\s*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*))\s*,)?/uy;
  pair.lastIndex = open.lastIndex;
  for (;;) {
    const end = pair.lastIndex;
    const [, name, value] = pair.exec(text) ?? [];
    if (name === undefined) return { found, next: null, end };
    if (value === undefined) return { found, next: name, end: pair.lastIndex };
    found[name] = JSON.parse(value) as string | number;
  }
}
