/**
 * The output of the `copilot` program (`--output-format json`), line by line, as an agent's events.
 *
 * I1. Text, thoughts and a command's output are reported once, though they come in pieces and whole.
 * I2. Only the agent's own words are its text: what a subagent says is output of the call that started it.
 * I3. What is not known is an `unknown` event, never an error.
 */
import { type Fields, fieldsAt, isFields, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { Paragraphs } from "../paragraphs.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { SILENT } from "./silent.ts";
import { CopilotSpeech } from "./spoken.ts";
import { isDenied, kindOf, toolEnd, toolStart } from "./tools.ts";

export class CopilotParser {
  readonly #cwd: string;
  readonly #words = new Paragraphs();
  readonly #spoken = new CopilotSpeech(() => this.#words.begin());
  readonly #calls = new Map<string, { name: string; output: number }>();
  #thoughts = "";
  #retries = 0;
  #failure: Fields = {};
  /** What the agent said in its last message. */
  answer = "";
  /** The `result` line, and the error that ended the run. */
  result: Fields | null = null;
  error: Fields | null = null;
  aborted = false;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** All that it said. */
  get said(): string {
    return this.#words.said;
  }

  /** The events of one line. */
  read(line: string): AgentEvent[] {
    const value = toldJson(line);
    if (!isFields(value ?? undefined)) return [unknownLine(line, value)];
    const event = value as Fields;
    return this.#words.take(this.#event(event, fieldsAt(event, "data")));
  }

  #event(event: Fields, data: Fields): AgentEvent[] {
    const type = textAt(event, "type") ?? "";
    const parent = textAt(data, "parentToolCallId");
    switch (type) {
      case "assistant.message_delta":
        return parent === null ? this.#spoken.piece("text", idOf(data, "messageId"), deltaOf(data)) : [];
      case "assistant.reasoning_delta":
        if (parent !== null) return [];
        this.#thoughts = withMore(this.#thoughts, deltaOf(data));
        return this.#spoken.piece("thought", idOf(data, "reasoningId"), deltaOf(data));
      case "assistant.message":
        return parent === null ? this.#message(data) : this.#words.below(parent, textAt(data, "content") ?? "");
      case "assistant.reasoning":
        return parent === null ? this.#thought(idOf(data, "reasoningId"), textAt(data, "content") ?? "") : [];
      case "result":
        this.result = event;
        return [];
      case "session.error":
        this.error = data;
        return [];
      case "abort":
        this.aborted = true;
        return [];
      case "model.call_failure":
        this.#failure = data;
        return [];
      case "assistant.turn_retry":
        this.#retries += 1;
        this.#thoughts = "";
        return [...this.#spoken.again(), retryNotice(data, this.#failure, this.#retries)];
      case "session.info":
        return [];
      case "session.warning":
        return [notice("warning", textAt(data, "message") ?? "Copilot gave a warning")];
      case "session.compaction_complete":
        return [notice("info", "Copilot shortened the conversation")];
      default:
        if (type.startsWith("tool.") || type === "assistant.tool_call_delta") return this.#tool(type, event, data);
        return SILENT.has(type) ? [] : [unknown({ ...event })];
    }
  }

  #message(data: Fields): AgentEvent[] {
    const text = textAt(data, "content") ?? "";
    const id = idOf(data, "messageId");
    this.answer = text;
    this.#retries = 0;
    this.#spoken.finish();
    const events = [
      ...this.#thought(`${id}.reasoning`, textAt(data, "reasoningText") ?? ""),
      ...this.#spoken.whole("text", id, text),
    ];
    this.#spoken.finish();
    return events;
  }

  /** Thoughts come in pieces, with their message, and whole after it: under different ids. */
  #thought(id: string, text: string): AgentEvent[] {
    if (text === "" || text === this.#thoughts) return [];
    this.#thoughts = text;
    return this.#spoken.whole("thought", id, text);
  }

  #tool(type: string, event: Fields, data: Fields): AgentEvent[] {
    const call = textAt(data, "toolCallId");
    if (call === null) return SILENT.has(type) ? [] : [unknown({ ...event })];
    switch (type) {
      case "assistant.tool_call_delta": {
        if (this.#calls.has(call)) return [];
        const name = textAt(data, "toolName") ?? call;
        this.#calls.set(call, { name, output: 0 });
        return [{ type: "tool", tool: { call, title: name, kind: kindOf(name), status: "pending" } }];
      }
      case "tool.execution_start": {
        const tool = toolStart(data, this.#cwd);
        this.#calls.set(call, { name: textAt(data, "toolName") ?? call, output: 0 });
        return tool === null ? [unknown({ ...event })] : [{ type: "tool", tool }];
      }
      case "tool.shell_output":
        return this.#output(call, textAt(data, "text") ?? "");
      case "tool.execution_partial_result":
        // All of it so far.
        return this.#output(call, (textAt(data, "partialOutput") ?? "").slice(this.#calls.get(call)?.output ?? 0));
      case "tool.execution_complete": {
        const tool = toolEnd(data);
        if (tool === null) return [unknown({ ...event })];
        // What it printed was shown as it came: only why a call has failed is said once more.
        if (tool.status === "completed" && (this.#calls.get(call)?.output ?? 0) > 0) delete tool.content;
        return [{ type: "tool", tool }, ...(isDenied(data) ? [deniedNotice(this.#calls.get(call)?.name)] : [])];
      }
      default:
        return SILENT.has(type) ? [] : [unknown({ ...event })];
    }
  }

  #output(call: string, text: string): AgentEvent[] {
    if (text === "") return [];
    const known = this.#calls.get(call);
    if (known !== undefined) known.output += text.length;
    return [{ type: "tool output", call, text }];
  }
}

const idOf = (data: Fields, name: string): string => textAt(data, name) ?? "";
const deltaOf = (data: Fields): string => textAt(data, "deltaContent") ?? "";
const notice = (severity: "info" | "warning", message: string): AgentEvent => ({ type: "notice", severity, message });

function retryNotice(data: Fields, failure: Fields, retry: number): AgentEvent {
  const status = numberAt(failure, "statusCode");
  const why = textAt(data, "reason") ?? "unknown";
  const answer = status === null ? `no answer from the model (${why})` : `the model's answer was ${status} (${why})`;
  return notice("warning", `${answer}; retry ${retry}`);
}

function deniedNotice(tool: string | undefined): AgentEvent {
  return notice(
    "warning",
    `not allowed: ${tool ?? "a tool"}. Allow it with options.allowed_tools or options.allow_all`,
  );
}
