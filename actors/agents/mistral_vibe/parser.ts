/**
 * The output of `vibe -p --output streaming`, line by line, as an agent's events.
 *
 * I1. Entries come whole, each once; messages are paragraphs. A tool call is reported when it has ended; its beginning
 *     is made of that.
 * I2. The turn's text is what was said after the last tool call.
 * I3. What is not known is an `unknown` event, never an error.
 */
import { type Fields, fieldsOf, isFields, listAt, textAt } from "../../base/json.ts";
import type { AgentEvent } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { PARAGRAPH, Paragraphs } from "../paragraphs.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { type ToolContext, toolEvents } from "./tools.ts";

export class VibeParser {
  readonly #place: ToolContext;
  readonly #words = new Paragraphs();
  #conversation: string | null;
  /** What the agent said after its last tool call. */
  text = "";

  /** `conversation`: the one that is continued, which need not be reported. */
  constructor(place: ToolContext, conversation: string | null) {
    this.#place = place;
    this.#conversation = conversation;
  }

  /** All that it said. */
  get said(): string {
    return this.#words.said;
  }

  /** The events of one line. */
  read(line: string): AgentEvent[] {
    const value = toldJson(line);
    if (!isFields(value ?? undefined)) return [unknownLine(line, value)];
    const entry = value as Fields;
    return [...this.#known(textAt(entry, "sessionId")), ...this.#words.take(this.#entry(entry))];
  }

  #known(id: string | null): AgentEvent[] {
    if (id === null || id === this.#conversation) return [];
    this.#conversation = id;
    return [{ type: "conversation", id }];
  }

  #entry(entry: Fields): AgentEvent[] {
    switch (textAt(entry, "type")) {
      case "message":
        return textAt(entry, "role") === "assistant" ? this.#spoken(textOf(entry)) : [];
      case "reasoning": {
        const text = textAt(entry, "text") ?? "";
        this.#words.begin();
        return text === "" ? [] : [{ type: "thought", text }];
      }
      case "effect": {
        const tools = toolEvents(entry, this.#place);
        if (tools === null) return [unknown({ ...entry })];
        this.text = "";
        return tools.map((tool) => ({ type: "tool", tool }));
      }
      // A question that is not answered here: the call that it was about reports the outcome.
      case "callback":
      case "checkpoint":
        return [];
      case "notice": {
        const level = textAt(entry, "level");
        const severity = level === "error" || level === "warning" ? level : "info";
        return [{ type: "notice", severity, message: textAt(entry, "message") ?? "a notice without words" }];
      }
      default:
        return [unknown({ ...entry })];
    }
  }

  #spoken(text: string): AgentEvent[] {
    if (text === "") return [];
    this.text = withMore(this.text, this.text === "" ? text : PARAGRAPH + text);
    this.#words.begin();
    return [{ type: "text", text }];
  }
}

const textOf = (entry: Fields): string =>
  listAt(entry, "content")
    .map((block) => textAt(fieldsOf(block), "text") ?? "")
    .join("");
