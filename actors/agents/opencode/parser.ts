/**
 * The output of the `opencode` program (`run --format json`), line by line, as an agent's events.
 *
 * I1. Parts come whole, each once, and are paragraphs. A tool call is reported when it has ended; its beginning is made
 *     of that.
 * I2. What is not known is an `unknown` event, never an error.
 * I3. That a conversation is too long for its model is no end: the program shortens it, in a round of the model's own,
 *     and asks again.
 */
import { type Fields, fieldsAt, isFields, numberAt, textAt } from "../../base/json.ts";
import type { AgentEvent, Usage } from "../agent.ts";
import { withMore } from "../kept-words.ts";
import { PARAGRAPH, Paragraphs } from "../paragraphs.ts";
import { toldJson } from "../told-json.ts";
import { unknown, unknownLine } from "../unknown.ts";
import { type ToolContext, toolEvents } from "./tools.ts";

const TOO_LONG = "ContextOverflowError";
const ROUNDS_TO_RECOVER = 2;
/** Why a round ends after which there is another one. */
const GOES_ON: ReadonlySet<string | null> = new Set([null, "tool-calls", "unknown"]);

export class OpencodeParser {
  readonly #place: ToolContext;
  readonly #words = new Paragraphs();
  #message: string | null = null;
  #isAtRest = false;
  #usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  #cost = 0;
  #isCounted = false;
  /** What the agent said in its last message. */
  answer = "";
  /** Why the last round of the model ended: `stop`, `tool-calls`, … */
  reason: string | null = null;
  /** The error that ended the run. */
  error: Fields | null = null;
  /** Of the model, since the conversation was too long for it; null where it was not. */
  #roundsSince: number | null = null;

  constructor(place: ToolContext) {
    this.#place = place;
  }

  /** All that it said. */
  get said(): string {
    return this.#words.said;
  }

  get usage(): Usage | null {
    if (!this.#isCounted) return null;
    return { ...this.#usage, cost: { amount: this.#cost, currency: "USD" } };
  }

  /** It went on after an error that was not the end (I3). */
  get hasRecovered(): boolean {
    return this.#roundsSince !== null && this.error === null;
  }

  /** Its last word ends the turn: an answer that calls no tool, or an error that it does not recover from. */
  get isDone(): boolean {
    return this.#isAtRest && (this.#roundsSince === null || this.error === null);
  }

  /** The events of one line. */
  read(line: string): AgentEvent[] {
    const value = toldJson(line);
    if (!isFields(value ?? undefined)) return [unknownLine(line, value)];
    const event = value as Fields;
    const session = textAt(event, "sessionID");
    const known: AgentEvent[] = session === null ? [] : [{ type: "conversation", id: session }];
    return [...known, ...this.#words.take(this.#event(event, fieldsAt(event, "part")))];
  }

  #event(event: Fields, part: Fields): AgentEvent[] {
    this.#isAtRest = false;
    switch (textAt(event, "type")) {
      case "step_start":
        return [];
      case "text":
        return this.#said(part);
      case "reasoning": {
        const text = textAt(part, "text") ?? "";
        this.#words.begin();
        return text === "" ? [] : [{ type: "thought", text }];
      }
      case "tool_use": {
        const tools = toolEvents(part, this.#place);
        return tools === null ? [unknown({ ...event })] : tools.map((tool) => ({ type: "tool", tool }));
      }
      case "step_finish":
        this.#counted(part);
        return [];
      case "error":
        this.error = fieldsAt(event, "error");
        this.#isAtRest = textAt(this.error, "name") !== TOO_LONG;
        if (this.#isAtRest) return [];
        this.#roundsSince = 0;
        return [{ type: "notice", severity: "info", message: "OpenCode shortens the conversation" }];
      default:
        return [unknown({ ...event })];
    }
  }

  #said(part: Fields): AgentEvent[] {
    const text = textAt(part, "text") ?? "";
    if (text === "") return [];
    const message = textAt(part, "messageID");
    if (message !== this.#message) this.answer = "";
    this.#message = message;
    this.answer = withMore(this.answer, this.answer === "" ? text : PARAGRAPH + text);
    this.#words.begin();
    return [{ type: "text", text }];
  }

  #counted(part: Fields): void {
    this.reason = textAt(part, "reason");
    this.#isAtRest = !GOES_ON.has(this.reason);
    if (this.#roundsSince !== null && ++this.#roundsSince === ROUNDS_TO_RECOVER) this.error = null;
    const tokens = fieldsAt(part, "tokens");
    const cache = fieldsAt(tokens, "cache");
    const of = (from: Fields, name: string): number => numberAt(from, name) ?? 0;
    const input = of(tokens, "input") + of(cache, "read") + of(cache, "write");
    const output = of(tokens, "output") + of(tokens, "reasoning");
    this.#usage.inputTokens += input;
    this.#usage.outputTokens += output;
    this.#usage.totalTokens += input + output;
    this.#cost += of(part, "cost");
    this.#isCounted = true;
  }
}
