/**
 * The output of `codex exec --json`, line by line, as an agent's events.
 *
 * I1. Codex reports whole messages: each is a paragraph of its own. The last one is the turn's text.
 * I2. What it reports of a failure is a notice while it tries again, and the run's error in the end.
 * I3. It is not waited for a network without an end: after some notices in a row the run is to be stopped.
 * I4. What is not known is an `unknown` event, never an error.
 */
import { type Fields, fieldsAt, isFields, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent, Usage } from "../agent.ts";
import { Paragraphs } from "../paragraphs.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { toolOf } from "./tools.ts";

const CHANGES: ReadonlySet<string> = new Set(["edit", "delete"]);
const RETRY = /^Reconnecting\.\.\. /;
/** Codex waits for the network without an end, and says so about every 20 s. */
const WAITS = /waiting for network/;
const MAX_WAITS = 3;

export class CodexParser {
  readonly #cwd: string;
  readonly #conversation: string | null;
  readonly #words = new Paragraphs();
  #waits = 0;
  /** The conversation's id. */
  thread: string | null;
  /** The calls that changed files. */
  readonly changed: string[] = [];
  /** How the turn ended, as far as it was reported. */
  end: "completed" | "failed" | null = null;
  /** The last failure that was reported. */
  error: string | null = null;
  usage: Usage | null = null;
  /** The last message. */
  text = "";

  /** `conversation`: the id that is known already. */
  constructor(cwd: string, conversation: string | null) {
    this.#cwd = cwd;
    this.#conversation = conversation;
    this.thread = conversation;
  }

  /** All that the agent said. */
  get said(): string {
    return this.#words.said;
  }

  /** It waits for the network, and has long enough (I3). */
  get waitsInVain(): boolean {
    return this.#waits >= MAX_WAITS;
  }

  /** The events of one line. */
  read(line: string): AgentEvent[] {
    const value = toldJson(line);
    if (!isFields(value)) return [unknownLine(line, value)];
    return this.#words.take(this.#message(value));
  }

  #message(message: Fields): AgentEvent[] {
    switch (textAt(message, "type")) {
      case "thread.started": {
        const id = textAt(message, "thread_id") || null;
        this.thread = id ?? this.thread;
        return id === null || id === this.#conversation ? [] : [{ type: "conversation", id }];
      }
      case "turn.started":
        return [];
      case "turn.completed":
        this.end = "completed";
        this.usage = usageOf(fieldsAt(message, "usage"));
        return [];
      case "turn.failed":
        this.end = "failed";
        this.error = textAt(fieldsAt(message, "error"), "message") ?? this.error;
        return [];
      case "error":
        return this.#failure(textAt(message, "message") ?? "an error without words");
      case "item.started":
      case "item.updated":
        return this.#item(fieldsAt(message, "item"), false);
      case "item.completed":
        return this.#item(fieldsAt(message, "item"), true);
      default:
        return [unknown({ ...message })];
    }
  }

  #failure(message: string): AgentEvent[] {
    this.#waits = WAITS.test(message) ? this.#waits + 1 : 0;
    if (!RETRY.test(message) || this.waitsInVain) this.error = message;
    if (RETRY.test(message)) return [{ type: "notice", severity: "warning", message }];
    return [];
  }

  #item(item: Fields, isWhole: boolean): AgentEvent[] {
    switch (textAt(item, "type")) {
      case "agent_message":
        return isWhole ? this.#answer(textAt(item, "text") ?? "") : [];
      case "reasoning":
        return isWhole ? this.#spoken("thought", textAt(item, "text") ?? "") : [];
      case "error":
        return [{ type: "notice", severity: "warning", message: textAt(item, "message") ?? "a warning without words" }];
      default: {
        const tool = toolOf(item, isWhole, this.#cwd);
        if (isWhole && tool?.kind !== undefined && CHANGES.has(tool.kind)) this.changed.push(tool.call);
        return tool === null ? [unknown({ ...item })] : [{ type: "tool", tool }];
      }
    }
  }

  #answer(text: string): AgentEvent[] {
    if (text === "") return [];
    this.text = text;
    return this.#spoken("text", text);
  }

  #spoken(type: "text" | "thought", text: string): AgentEvent[] {
    if (text === "") return [];
    this.#words.begin();
    return [{ type, text }];
  }
}

function usageOf(usage: Fields): Usage | null {
  const inputTokens = numberAt(usage, "input_tokens");
  const outputTokens = numberAt(usage, "output_tokens");
  if (inputTokens === null || outputTokens === null) return null;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
