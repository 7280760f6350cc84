/**
 * The words of messages that come in pieces and then whole.
 *
 * I1. What was reported in pieces is not reported again when it comes whole.
 * I2. A message that breaks off and is asked for again begins a new paragraph, and a notice says so.
 */
import type { AgentEvent } from "../agent.ts";

export class CopilotSpeech {
  readonly #told = new Set<string>();
  #isHalf = false;

  piece(type: "text" | "thought", id: string, text: string): AgentEvent[] {
    if (text === "") return [];
    this.#told.add(id);
    this.#isHalf = true;
    return [{ type, text }];
  }

  whole(type: "text" | "thought", id: string, text: string): AgentEvent[] {
    if (this.#told.has(id) || text === "") return [];
    this.#told.add(id);
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
    return [
      { type: "notice", severity: "warning", message: "The answer broke off and was asked for again; it begins anew" },
    ];
  }
}
