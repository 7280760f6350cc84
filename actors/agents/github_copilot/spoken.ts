/**
 * The words of messages that come in pieces and then whole.
 *
 * I1. What was reported in pieces is not reported again when it comes whole.
 * I2. A message begins a new paragraph; one that breaks off and is asked for again does so too, and a notice says so.
 */
import type { AgentEvent } from "../agent.ts";

export class CopilotSpeech {
  readonly #told = new Set<string>();
  #isHalf = false;
  /** The message, or the thought, whose words were reported last. */
  #last: string | null = null;
  readonly #begins: () => void;

  /** `begins`: the next words are those of another message. */
  constructor(begins: () => void) {
    this.#begins = begins;
  }

  piece(type: "text" | "thought", id: string, text: string): AgentEvent[] {
    if (text === "") return [];
    this.#told.add(id);
    this.#isHalf = true;
    this.#saidOf(id);
    return [{ type, text }];
  }

  whole(type: "text" | "thought", id: string, text: string): AgentEvent[] {
    if (this.#told.has(id) || text === "") return [];
    this.#told.add(id);
    this.#saidOf(id);
    return [{ type, text }];
  }

  /** The model's answer is complete. */
  finish(): void {
    this.#isHalf = false;
  }

  /** The answer is asked for again. */
  again(): AgentEvent[] {
    if (!this.#isHalf) return [];
    this.#isHalf = false;
    this.#last = null;
    return [
      { type: "notice", severity: "warning", message: "The answer broke off and was asked for again; it begins anew" },
    ];
  }

  #saidOf(id: string): void {
    if (id !== this.#last) this.#begins();
    this.#last = id;
  }
}
