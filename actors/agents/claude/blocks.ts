/**
 * The text blocks of the message that is being streamed.
 *
 * I1. A block whose deltas were told is not told again when it comes whole.
 * I2. A message that ends half-way and is asked for again begins a new paragraph, and a notice says so.
 */
import type { AgentEvent } from "../agent.ts";
import { type Fields, textAt } from "../json.ts";

type Kind = "text" | "thinking";

const SILENT_DELTAS: ReadonlySet<string | null> = new Set(["input_json_delta", "signature_delta", "citations_delta"]);

export class Blocks {
  #message: string | null = null;
  /** Blocks of the message whose deltas were told and that have not come whole yet. */
  #told = { text: 0, thinking: 0 };
  #isOpen = true;
  #isHalf = false;

  /** A message begins to stream. */
  begin(message: string | null): AgentEvent[] {
    const events = this.#brokenOff();
    this.#message = message;
    this.#told = { text: 0, thinking: 0 };
    return events;
  }

  /** A block of the message begins. */
  open(): void {
    this.#isOpen = true;
  }

  /** The message is complete. */
  finish(): void {
    this.#isHalf = false;
  }

  delta(delta: Fields): AgentEvent[] {
    const type = textAt(delta, "type");
    if (type !== "text_delta" && type !== "thinking_delta") {
      return SILENT_DELTAS.has(type) ? [] : [{ type: "unknown", value: { ...delta } }];
    }
    const kind: Kind = type === "text_delta" ? "text" : "thinking";
    const text = textAt(delta, kind) ?? "";
    if (text === "") return [];
    if (this.#isOpen) this.#told[kind] += 1;
    this.#isOpen = false;
    this.#isHalf = true;
    return [spoken(kind, text)];
  }

  /** A block that comes whole. */
  whole(kind: Kind, text: string, message: string | null): AgentEvent[] {
    if (message === this.#message && this.#told[kind] > 0) {
      this.#told[kind] -= 1;
      return [];
    }
    if (text === "") return [];
    return [...(message === this.#message ? [] : this.#brokenOff()), spoken(kind, text)];
  }

  #brokenOff(): AgentEvent[] {
    if (!this.#isHalf) return [];
    this.#isHalf = false;
    const message = "The answer broke off and was asked for again; it begins anew";
    return [{ type: "notice", severity: "warning", message }];
  }
}

const spoken = (kind: Kind, text: string): AgentEvent => ({ type: kind === "text" ? "text" : "thought", text });
