/**
 * One answer of the model, put together from the pieces of its stream.
 *
 * I1. Text and thoughts are told as they come. A call is told when its name is known, and kept until it is whole.
 * I2. What is not known is an `unknown` event, never an error.
 */
import { type Json, own } from "../../../machines/model.ts";
import type { AgentEvent } from "../agent.ts";
import { type Fields, fieldsAt, fieldsOf, isFields, listAt, numberAt, parsed, textAt } from "../json.ts";
import { type Call, errorWords } from "./messages.ts";

const LONGEST_UNKNOWN = 1000;

export type Tokens = { input: number; output: number; total: number };

export class Answer {
  readonly #calls = new Map<number, Call>();
  text = "";
  /** Why the answer ended, or null while it goes on. */
  reason: string | null = null;
  tokens: Tokens | null = null;
  /** What the server says went wrong in the middle, and its status where it tells one. */
  error: { message: string; status: number | null } | null = null;
  refusal = "";
  /** True when anything of it was told: from then on it is not asked for again. */
  isTold = false;

  get calls(): Call[] {
    return [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
  }

  /** The events of one piece. */
  read(data: string): AgentEvent[] {
    if (data.trim() === "[DONE]") return [];
    const value = parsed(data);
    if (!isFields(value ?? undefined)) return [unknown(value ?? data.slice(0, LONGEST_UNKNOWN))];
    const chunk = value as Fields;
    if (own(chunk, "error") != null) {
      const code = numberAt(fieldsAt(chunk, "error"), "code") ?? numberAt(fieldsAt(chunk, "error"), "status");
      this.error = { message: errorWords({ ...chunk }) ?? "the server told an error", status: code };
      return [];
    }
    const usage = fieldsAt(chunk, "usage");
    if (own(chunk, "usage") != null) this.#count(usage);
    if (!Array.isArray(own(chunk, "choices"))) return own(chunk, "usage") != null ? [] : [unknown({ ...chunk })];
    return listAt(chunk, "choices").flatMap((choice) => this.#choice(fieldsOf(choice)));
  }

  #choice(choice: Fields): AgentEvent[] {
    // A server that does not stream gives the whole message.
    const delta = own(choice, "message") === undefined ? fieldsAt(choice, "delta") : fieldsAt(choice, "message");
    const events: AgentEvent[] = [];
    const thought = textAt(delta, "reasoning_content") ?? textAt(delta, "reasoning") ?? "";
    if (thought !== "") events.push({ type: "thought", text: thought });
    const text = textAt(delta, "content") ?? "";
    if (text !== "") events.push({ type: "text", text });
    this.text += text;
    this.refusal += textAt(delta, "refusal") ?? "";
    for (const [at, call] of listAt(delta, "tool_calls").entries()) events.push(...this.#call(fieldsOf(call), at));
    this.reason = textAt(choice, "finish_reason") ?? this.reason;
    if (events.length > 0) this.isTold = true;
    return events;
  }

  #call(piece: Fields, at: number): AgentEvent[] {
    const index = numberAt(piece, "index") ?? at;
    const fn = fieldsAt(piece, "function");
    const known = this.#calls.get(index);
    if (known !== undefined) {
      known.arguments += textAt(fn, "arguments") ?? "";
      return [];
    }
    const name = textAt(fn, "name");
    if (name === null) return [unknown({ ...piece })];
    const call = { id: textAt(piece, "id") ?? `call-${index + 1}`, name, arguments: textAt(fn, "arguments") ?? "" };
    this.#calls.set(index, call);
    return [{ type: "tool", tool: { call: call.id, title: name, kind: "other", status: "pending" } }];
  }

  #count(usage: Fields): void {
    const input = numberAt(usage, "prompt_tokens") ?? 0;
    const output = numberAt(usage, "completion_tokens") ?? 0;
    this.tokens = { input, output, total: numberAt(usage, "total_tokens") ?? input + output };
  }
}

const unknown = (value: Json): AgentEvent => ({ type: "unknown", value });
