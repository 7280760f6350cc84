/**
 * One answer of the model, put together from the pieces of its stream.
 *
 * I1. Text and thoughts are reported as they come. A call is reported when its name is known, and kept until it is
 *     whole.
 * I2. What is not known is an `unknown` event, never an error.
 * I3. What a server says went wrong after the answer was whole takes nothing from it: it is a notice.
 */
import { own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, isFields, listAt, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { type CallIds, callIds } from "./call-ids.ts";
import { ToolCallAssembler } from "./calls.ts";
import { withDetail } from "./details.ts";
import type { Thought, ToolCall } from "./messages.ts";
import { type ApiFault, faultOf, partsOf, wordAt } from "./pieces.ts";

export type Tokens = { input: number; output: number; total: number };

export class ChatAnswer {
  readonly #calls: ToolCallAssembler;
  text = "";
  /** Why the answer ended, or null while it has not. */
  reason: string | null = null;
  tokens: Tokens | null = null;
  /** What the server says went wrong in the middle. */
  error: ApiFault | null = null;
  refusal = "";
  /** Its thoughts under the names that servers want them back by, as far as it gave some so. */
  readonly thought: Thought = {};
  /** True when anything of it was reported: from then on it is not asked for again. */
  isTold = false;
  /** The server has said that nothing comes any more, though it may leave the connection open. */
  isDone = false;

  constructor(ids: CallIds = callIds()) {
    this.#calls = new ToolCallAssembler(ids);
  }

  get calls(): ToolCall[] {
    return this.#calls.all;
  }

  /** The events of one piece. `event`: its name, where it has one. */
  read(data: string, event?: string): AgentEvent[] {
    const events = this.#read(data, event);
    if (events.length > 0) this.isTold = true;
    return events;
  }

  #read(data: string, event: string | undefined): AgentEvent[] {
    if (data.trim() === "[DONE]") {
      this.isDone = true;
      // Not every server says why an answer ended.
      if (this.isTold) this.reason ??= "stop";
      return [];
    }
    const value = toldJson(data);
    if (!isFields(value ?? undefined)) return [unknownLine(data, value)];
    const chunk = value as Fields;
    const isWhole = this.reason !== null;
    const choices = listAt(chunk, "choices").flatMap((choice) => this.#choice(fieldsOf(choice)));
    const fault = faultOf(chunk, event);
    if (fault !== null && isWhole) {
      const message = `after its answer the model's server said: ${fault.message}`;
      choices.push({ type: "notice", severity: "warning", message });
    } else this.error ??= fault;
    if (own(chunk, "usage") != null) this.#count(fieldsAt(chunk, "usage"));
    const isKnown = Array.isArray(own(chunk, "choices")) || own(chunk, "usage") != null || fault !== null;
    return isKnown ? choices : [unknown({ ...chunk })];
  }

  #choice(choice: Fields): AgentEvent[] {
    // A server that does not stream gives the whole message.
    const delta = isFields(own(choice, "delta")) ? fieldsAt(choice, "delta") : fieldsAt(choice, "message");
    const events: AgentEvent[] = partsOf(delta);
    for (const event of events) if (event.type === "text") this.text = withMore(this.text, event.text);
    const reasoning = textAt(delta, "reasoning_content");
    if (reasoning !== null) this.thought.reasoning_content = withMore(this.thought.reasoning_content ?? "", reasoning);
    const details = listAt(delta, "reasoning_details").filter(isFields);
    if (details.length > 0)
      this.thought.reasoning_details = details.reduce(withDetail, this.thought.reasoning_details ?? []);
    this.refusal += textAt(delta, "refusal") ?? "";
    for (const call of listAt(delta, "tool_calls")) events.push(...this.#call(fieldsOf(call)));
    const only = own(delta, "function_call"); // the older form, of one call
    if (isFields(only)) events.push(...this.#call({ index: 0, function: only }));
    this.reason = wordAt(choice, "finish_reason") ?? this.reason;
    return events;
  }

  #call(piece: Fields): AgentEvent[] {
    const call = this.#calls.add(piece);
    if (call === "known") return [];
    if (call === "unknown") return [unknown({ ...piece })];
    return [{ type: "tool", tool: { call: call.id, title: call.name, kind: "other", status: "pending" } }];
  }

  #count(usage: Fields): void {
    const input = numberAt(usage, "prompt_tokens") ?? 0;
    const output = numberAt(usage, "completion_tokens") ?? 0;
    this.tokens = { input, output, total: numberAt(usage, "total_tokens") ?? input + output };
  }
}
