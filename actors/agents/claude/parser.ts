/**
 * The output of the `claude` program (`--output-format stream-json`), line by line, as an agent's events.
 *
 * I1. Text and thoughts are reported once: by their deltas, or by the whole block where there was no delta of it, or by
 *     the result where nothing was said before.
 * I2. Only the agent's own words are its text. What a subagent says is output of the call that started it, and what the
 *     program says in the model's place (an API error) is not text at all.
 * I3. What is not known is an `unknown` event, never an error.
 * I4. The call of a subagent that works in the background ends when the subagent does, not when it has begun.
 */
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, isFields, listAt, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { PARAGRAPH, Paragraphs } from "../paragraphs.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { answerIn, hasFailed, shapeIn } from "./answer.ts";
import { Blocks } from "./blocks.ts";
import { deniedNotice, limitNotice, retryNotice } from "./notices.ts";
import { Rest } from "./rest.ts";
import { SILENT, SILENT_SYSTEM } from "./silent.ts";
import { taskEnd, toolEnd } from "./tool-end.ts";
import { calledTool, kindOf } from "./tools.ts";

const TOKENS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];

const SINCE_LAST = "model_usage_since_last_result";

export type ContextUse = { model: string | null; used: number };

export class ClaudeParser {
  readonly #cwd: string;
  readonly #words = new Paragraphs();
  readonly #blocks = new Blocks(() => this.#words.begin());
  #denied = 0;
  /** Tool calls that the program asked about: their answer came from us. */
  readonly #asked = new Set<string | null>();
  #model: string | null = null;
  /** Calls whose subagents work in the background (I4). */
  readonly #background = new Set<string>();
  readonly #rest = new Rest();
  /** The last `result` line: what the program came to. */
  result: Fields | null = null;
  /** What an answer was handed over as, in the shape that was asked for; null where none was. */
  shape: Json = null;
  /** The answer that a result told, since nothing was said. */
  #told = "";
  /** What was used until each result and after the one before it, by model. Only newer versions say so. */
  readonly used: Fields[] = [];
  /** The kind of the last API error that the program spoke of, as `rate_limit`. */
  apiError: string | null = null;
  /** Why the program did not take what was asked of it, or null. */
  refusal: string | null = null;
  /** What the program asks of its caller; its answer takes it out. */
  readonly control: Fields[] = [];
  /** Messages of ours that the program has taken in, by their ids; who reads them takes them out. */
  readonly replayed: string[] = [];
  /** Lines that are no message; who reads them takes them out. */
  readonly unread: string[] = [];
  /** The last answer: its model, and the tokens that the conversation had after it. */
  context: ContextUse | null = null;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** What the agent said. */
  get said(): string {
    return this.#words.said;
  }

  /** It has given its result, and works on nothing. */
  get isDone(): boolean {
    return this.result !== null && this.#rest.isAtRest && this.#background.size === 0;
  }

  /** The events of one line. */
  read(line: string): AgentEvent[] {
    const value = toldJson(line);
    if (isFields(value)) return this.#words.take(this.#message(value));
    this.unread.push(line);
    return [unknownLine(line, value)];
  }

  #message(message: Fields): AgentEvent[] {
    const type = textAt(message, "type") ?? "";
    this.#rest.take(message);
    switch (type) {
      case "stream_event":
        // A subagent's blocks come whole as well.
        return parentOf(message) === null ? this.#streamed(fieldsAt(message, "event")) : [];
      case "assistant":
        return this.#assistant(message);
      case "user":
        if (own(message, "isReplay") === true) return this.#played(message);
        return listAt(fieldsAt(message, "message"), "content").flatMap((block) =>
          this.#toolEnd(fieldsOf(block), own(message, "tool_use_result")),
        );
      case "system":
        return this.#system(message);
      case "result":
        return this.#ended(message);
      case "control_response":
        return this.#answered(fieldsAt(message, "response"));
      case "control_request":
      case "control_cancel_request":
        this.control.push(message);
        this.#asked.add(textAt(fieldsAt(message, "request"), "tool_use_id"));
        return [];
      case "rate_limit_event":
        return limitNotice(fieldsAt(message, "rate_limit_info"));
      default:
        return SILENT.has(type) ? [] : [unknown({ ...message })];
    }
  }

  #played(message: Fields): AgentEvent[] {
    const uuid = textAt(message, "uuid");
    if (uuid !== null) this.replayed.push(uuid);
    return [];
  }

  #toolEnd(block: Fields, told: Json | undefined): AgentEvent[] {
    const call = textAt(block, "tool_use_id");
    if (call === null || textAt(fieldsOf(told), "status") !== "async_launched") return toolEnd(block, told, this.#cwd);
    this.#background.add(call);
    return [];
  }

  #streamed(event: Fields): AgentEvent[] {
    switch (textAt(event, "type")) {
      case "message_start": {
        const message = fieldsAt(event, "message");
        this.#model = textAt(message, "model");
        return this.#blocks.begin(textAt(message, "id"));
      }
      case "content_block_start": {
        const block = fieldsAt(event, "content_block");
        const id = textAt(block, "id");
        this.#blocks.open();
        if (textAt(block, "type") !== "tool_use" || id === null) return [];
        const name = textAt(block, "name") ?? id;
        return [{ type: "tool", tool: { call: id, title: name, kind: kindOf(name), status: "pending" } }];
      }
      case "content_block_delta":
        return this.#blocks.delta(fieldsAt(event, "delta"));
      case "message_delta":
        this.#measured(fieldsAt(event, "usage"));
        return [];
      case "content_block_stop":
      case "ping":
        return [];
      case "message_stop":
        this.#blocks.finish();
        return [];
      default:
        return [unknown({ ...event })];
    }
  }

  #assistant(message: Fields): AgentEvent[] {
    const inner = fieldsAt(message, "message");
    const error = textAt(message, "error");
    if (error !== null) {
      this.apiError = error;
      return [];
    }
    const parent = parentOf(message);
    // A streamed block comes before the message's end, with the count of its beginning.
    if (parent === null && textAt(inner, "stop_reason") !== null) {
      this.#model = textAt(inner, "model");
      this.#measured(fieldsAt(inner, "usage"));
    }
    return listAt(inner, "content").flatMap((block) => this.#whole(fieldsOf(block), textAt(inner, "id"), parent));
  }

  #whole(block: Fields, message: string | null, parent: string | null): AgentEvent[] {
    const type = textAt(block, "type");
    switch (type) {
      case "text":
      case "thinking": {
        const text = textAt(block, type) ?? "";
        if (parent !== null) return type === "text" ? this.#words.below(parent, text) : [];
        return this.#blocks.whole(type, text, message);
      }
      case "tool_use":
      case "server_tool_use": {
        const id = textAt(block, "id");
        const name = textAt(block, "name");
        if (id === null || name === null) return [unknown({ ...block })];
        const input = fieldsAt(block, "input");
        const tool = { ...calledTool(name, input, this.#cwd), status: "in_progress" as const, input: { ...input } };
        return [{ type: "tool", tool: { call: id, ...tool } }];
      }
      case "redacted_thinking":
        return [];
      default:
        return toolEnd(block, undefined, this.#cwd);
    }
  }

  #measured(usage: Fields): void {
    const used = TOKENS.map((name) => numberAt(usage, name) ?? 0).reduce((a, b) => a + b, 0);
    if (used > 0) this.context = { model: this.#model, used };
  }

  #system(message: Fields): AgentEvent[] {
    const subtype = textAt(message, "subtype") ?? "";
    switch (subtype) {
      case "init": {
        const id = textAt(message, "session_id");
        return id === null ? [] : [{ type: "conversation", id }];
      }
      case "api_retry":
        return retryNotice(message);
      case "task_notification":
        return this.#background.delete(textAt(message, "tool_use_id") ?? "") ? taskEnd(message) : [];
      case "compact_boundary":
        return [{ type: "notice", severity: "info", message: "Claude Code shortened the conversation" }];
      default:
        return SILENT_SYSTEM.has(subtype) ? [] : [unknown({ ...message })];
    }
  }

  /** A program with work in the background gives several results; each counts all before it. */
  #ended(message: Fields): AgentEvent[] {
    this.result = message;
    if (isFields(own(message, SINCE_LAST))) this.used.push(fieldsAt(message, SINCE_LAST));
    if (!hasFailed(message)) this.apiError = null;
    const denials = listAt(message, "permission_denials");
    const fresh = denials.slice(this.#denied);
    this.#denied = Math.max(this.#denied, denials.length);
    const notices = deniedNotice(fresh.filter((one) => !this.#asked.has(textAt(fieldsOf(one), "tool_use_id"))));
    const isAnswer = !hasFailed(message) && textAt(message, "stop_reason") !== "refusal";
    this.shape = isAnswer ? (shapeIn(message) ?? this.shape) : null;
    const text = answerIn(message, this.shape);
    if (!isAnswer || text === "" || text === this.#told || this.said !== this.#told) return notices;
    this.#words.begin();
    this.#told = withMore(this.#told, this.#told === "" ? text : PARAGRAPH + text);
    return [{ type: "text", text }, ...notices];
  }

  #answered(response: Fields): AgentEvent[] {
    if (textAt(response, "subtype") === "error") this.refusal = textAt(response, "error") ?? "no reason was given";
    return [];
  }
}

const parentOf = (message: Fields): string | null => textAt(message, "parent_tool_use_id");
