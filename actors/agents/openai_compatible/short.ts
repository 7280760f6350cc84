/** Why an answer that has ended is none, in the words of servers for it. */
import type { AgentErrorClass } from "../agent.ts";
import type { ChatAnswer } from "./answer.ts";

type Short = { class: AgentErrorClass; message: string };

const AT_LENGTH: Short = { class: "cut", message: "the model's answer was cut at its longest length" };
const REFUSED: Short = { class: "refused", message: "the model refused to answer" };
const BROKEN_OFF: Short = { class: "cut", message: "the model's server broke the answer off" };

const REASONS: ReadonlyMap<string, Short> = new Map([
  ...["length", "max_tokens", "max_output_tokens", "model_length"].map((reason) => [reason, AT_LENGTH] as const),
  ...["content_filter", "refusal", "safety", "recitation"].map((reason) => [reason, REFUSED] as const),
  ...["error", "abort", "aborted", "cancelled"].map((reason) => [reason, BROKEN_OFF] as const),
  ["insufficient_system_resource", { class: "overloaded", message: "the model's server had no room for the answer" }],
]);

const CALLS: ReadonlySet<string> = new Set(["tool_calls", "function_call", "tool_use"]);
const NO_CALL: Short = {
  class: "cut",
  message: "the model called a tool, and its server gave no call that can be read",
};

type Ended = Pick<ChatAnswer, "reason" | "refusal" | "calls" | "text">;

/**
 * Null where the model has said all that it wanted, or calls tools. `awaitsCalls`: it was offered some and asked for no
 * form; servers that make a form of a call say of the answer itself that it is one.
 */
export function shortOf({ reason, refusal, calls, text }: Ended, awaitsCalls: boolean): Short | null {
  if (refusal !== "") return { class: "refused", message: refusal };
  const word = (reason ?? "").toLowerCase();
  if (CALLS.has(word) && calls.length === 0 && (awaitsCalls || text.trim() === "")) return NO_CALL;
  return REASONS.get(word) ?? null;
}
