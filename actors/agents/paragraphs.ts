/**
 * The words of an agent as paragraphs.
 *
 * I1. A message that stands right behind another one begins with an empty line. Where a tool call begins or ends, or
 *     words and thoughts change over, the next words stand in a block of their own (`actors/effects/agent-rows.ts`),
 *     and need none.
 * I2. `said` is all text, as far as it is kept (`kept-words.ts`), with an empty line between two messages and where a
 *     tool call stands.
 */
import type { AgentEvent } from "./agent.ts";
import { withMore } from "./kept-words.ts";

export const PARAGRAPH = "\n\n";

/** The text of a turn: what was said in the end, or all that was said where that is nothing. */
export const turnText = (last: string, said: string): string => (last.trim() === "" ? said : last);

export class Paragraphs {
  readonly #calls = new Set<string>();
  /** Calls whose agents have spoken. */
  readonly #below = new Set<string>();
  /** Of what the block is that the next words would go into. */
  #open: "text" | "thought" | null = null;
  /** A message begins: for the next words, and for the next text. */
  #begins = false;
  #parts = false;
  said = "";

  /** A whole message of what a call has started, which is output of that call. */
  below(call: string, text: string): AgentEvent[] {
    if (text === "") return [];
    const parted = this.#below.has(call) ? PARAGRAPH + text : text;
    this.#below.add(call);
    return [{ type: "tool output", call, text: parted }];
  }

  /** What comes is another message. */
  begin(): void {
    this.#begins = true;
    this.#parts = true;
  }

  /** These events, in their order, with what parts them. */
  take(events: AgentEvent[]): AgentEvent[] {
    for (const event of events) {
      if (event.type === "text" || event.type === "thought") this.#spoken(event);
      else if (event.type === "tool") {
        const { call, status } = event.tool;
        this.#called(call, status === "completed" || status === "failed");
      } else if (event.type === "tool output") this.#called(event.call, false);
    }
    return events;
  }

  #spoken(event: { type: "text" | "thought"; text: string }): void {
    if (event.type === "text") {
      this.said = withMore(this.said, this.#parts && this.said !== "" ? PARAGRAPH + event.text : event.text);
      this.#parts = false;
    }
    if (this.#begins && this.#open === event.type) event.text = PARAGRAPH + event.text;
    this.#open = event.type;
    this.#begins = false;
  }

  #called(call: string, ends: boolean): void {
    if (!ends && this.#calls.has(call)) return;
    this.#calls.add(call);
    this.#open = null;
    this.#parts = true;
  }
}
