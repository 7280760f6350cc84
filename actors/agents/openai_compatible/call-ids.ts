/**
 * The ids of a conversation's calls.
 *
 * I1. Each is there once: servers that give none, or the same in every answer, get others. They are made of nine letters
 *     and digits, the one form that all servers take back.
 */
import type { Json } from "../../../machines/model.ts";
import { fieldsOf, listAt, textAt } from "../../base/json.ts";

/** Takes the id that a server gave, or null, and gives the call's. */
export type CallIds = (given: string | null) => string;

/** `messages`: the conversation so far. */
export function callIds(messages: readonly Json[] = []): CallIds {
  const calls = messages.flatMap((message) => listAt(fieldsOf(message), "tool_calls"));
  const used = new Set(calls.map((call) => textAt(fieldsOf(call), "id") ?? ""));
  return (given) => {
    let id = given ?? "";
    for (let n = used.size + 1; id === "" || used.has(id); n++) id = `call${String(n).padStart(5, "0")}`;
    used.add(id);
    return id;
  };
}
