/**
 * The output of `gemini --output-format stream-json`, line by line, as an agent's events.
 *
 * I1. The turn's text is what was said after the last tool call. A message that comes whole is a paragraph of its own; one
 *     whose pieces have come is not said again.
 * I2. What is not known is an `unknown` event, never an error.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Block } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, isFields, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent, Usage } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { PARAGRAPH, Paragraphs } from "../paragraphs.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { calledTool, changeOf } from "./tools.ts";

const LARGEST_FILE = 1024 * 1024;

type GeminiContext = { cwd: string; servers: readonly string[] };
type Begun = { name: string; input: Fields; before: string | null };

export class GeminiParser {
  readonly #place: GeminiContext;
  readonly #words = new Paragraphs();
  readonly #calls = new Map<string, Begun>();
  /** What has come in pieces of the message that is being said. */
  #pieces = "";
  /** The last `result` line: what the program came to. */
  result: Fields | null = null;
  /** What was said after the last tool call. */
  text = "";

  constructor(place: GeminiContext) {
    this.#place = place;
  }

  /** All that the agent said. */
  get said(): string {
    return this.#words.said;
  }

  get usage(): Usage | null {
    const stats = fieldsAt(this.result ?? {}, "stats");
    const inputTokens = numberAt(stats, "input_tokens");
    const outputTokens = numberAt(stats, "output_tokens");
    const totalTokens = numberAt(stats, "total_tokens");
    if (inputTokens === null || outputTokens === null || totalTokens === null || totalTokens === 0) return null;
    return { inputTokens, outputTokens, totalTokens };
  }

  /** The events of one line. */
  read(line: string): AgentEvent[] {
    const value = toldJson(line);
    return isFields(value) ? this.#words.take(this.#event(value)) : [unknownLine(line, value)];
  }

  #event(value: Fields): AgentEvent[] {
    switch (textAt(value, "type")) {
      case "init": {
        const id = textAt(value, "session_id");
        return id === null ? [] : [{ type: "conversation", id }];
      }
      case "message":
        if (textAt(value, "role") !== "assistant") return [];
        return own(value, "delta") === true
          ? this.#piece(textAt(value, "content"))
          : this.#whole(textAt(value, "content"));
      case "tool_use":
        return this.#called(value);
      case "tool_result":
        return this.#returned(value);
      case "error": {
        const severity = textAt(value, "severity") === "error" ? "error" : "warning";
        return [{ type: "notice", severity, message: textAt(value, "message") ?? "a warning without words" }];
      }
      case "result":
        this.result = value;
        return [];
      default:
        return [unknown({ ...value })];
    }
  }

  #piece(text: string | null): AgentEvent[] {
    if (text === null || text === "") return [];
    const begins = this.#pieces === "" && this.text !== "";
    this.#pieces = withMore(this.#pieces, text);
    return this.#spoken(text, begins);
  }
  #whole(text: string | null): AgentEvent[] {
    const isSaid = text === this.#pieces;
    this.#pieces = "";
    return text === null || text === "" || isSaid ? [] : this.#spoken(text, true);
  }
  #spoken(text: string, begins: boolean): AgentEvent[] {
    if (begins) this.#words.begin();
    this.text = withMore(this.text, begins && this.text !== "" ? PARAGRAPH + text : text);
    return [{ type: "text", text }];
  }

  #called(message: Fields): AgentEvent[] {
    const call = textAt(message, "tool_id");
    const name = textAt(message, "tool_name");
    if (call === null || name === null) return [unknown({ ...message })];
    const input = fieldsAt(message, "parameters");
    const { cwd, servers } = this.#place;
    this.#calls.set(call, { name, input, before: name === "write_file" ? before(cwd, input) : null });
    this.text = "";
    this.#pieces = "";
    return [{ type: "tool", tool: { call, ...calledTool(name, input, cwd, servers) } }];
  }

  #returned(message: Fields): AgentEvent[] {
    const call = textAt(message, "tool_id");
    if (call === null) return [unknown({ ...message })];
    const failed = textAt(message, "status") !== "success";
    const begun = this.#calls.get(call);
    const diff =
      failed || begun === undefined ? null : changeOf(begun.name, begun.input, this.#place.cwd, begun.before);
    const said = textAt(fieldsAt(message, "error"), "message") ?? textAt(message, "output") ?? "";
    const text: Block[] = said === "" ? [] : [{ type: "text", text: said }];
    const content = diff === null ? text : [diff];
    const status = failed ? "failed" : "completed";
    return [{ type: "tool", tool: content.length === 0 ? { call, status } : { call, status, content } }];
  }
}

/** The file as it is when the call is reported; the program has not written it yet, or just so. */
function before(cwd: string, input: Fields): string | null {
  try {
    const path = resolve(cwd, textAt(input, "file_path") ?? "");
    return statSync(path).size > LARGEST_FILE ? null : readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
