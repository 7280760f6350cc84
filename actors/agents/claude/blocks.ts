/**
 * The text blocks of the message that is being streamed.
 *
 * I1. A block whose deltas were reported is not reported again when it comes whole; what its deltas left out is.
 * I2. A message that ends half-way and is asked for again begins a new paragraph, and a notice says so.
 * I3. Programs that name no message give the pieces of one as whole blocks, and the message itself after them: it is
 *     not sent again.
 */

import { type Fields, textAt } from "../../base/json.ts";
import type { AgentEvent } from "../agent.ts";
import { withMore } from "../kept-words.ts";

type BlockKind = "text" | "thinking";
type ToldBlock = { kind: BlockKind; text: string };

const SILENT_DELTAS: ReadonlySet<string | null> = new Set(["input_json_delta", "signature_delta", "citations_delta"]);

export class Blocks {
  #message: string | null = null;
  /** Blocks of the message whose deltas were reported and that have not come whole yet. */
  #told: ToldBlock[] = [];
  /** Blocks without a message that came one after another. */
  #pieces: ToldBlock[] = [];
  #isOpen = true;
  #isHalf = false;
  /** The message whose words were reported last. */
  #last: string | null = null;
  readonly #begins: () => void;

  /** `begins`: the next words are those of another message. */
  constructor(begins: () => void = () => undefined) {
    this.#begins = begins;
  }

  /** A message begins to stream. */
  begin(message: string | null): AgentEvent[] {
    const events = this.#brokenOff();
    this.#message = message;
    this.#last = message;
    this.#told = [];
    this.#begins();
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
    const kind: BlockKind = type === "text_delta" ? "text" : "thinking";
    const text = textAt(delta, kind) ?? "";
    if (text === "") return [];
    const last = this.#told.at(-1);
    if (this.#isOpen || last?.kind !== kind) this.#told.push({ kind, text });
    else last.text = withMore(last.text, text);
    this.#isOpen = false;
    this.#isHalf = true;
    return [spoken(kind, text)];
  }

  /** A block that comes whole. */
  whole(kind: BlockKind, text: string, message: string | null): AgentEvent[] {
    const left = this.#left(kind, text, message);
    if (left === "" || (message === null && this.#isSum({ kind, text: left }))) return [];
    const events = message === this.#message ? [] : this.#brokenOff();
    if (message !== this.#last) this.#begins();
    this.#last = message;
    return [...events, spoken(kind, left)];
  }

  /** What of a whole block its deltas did not bring. */
  #left(kind: BlockKind, text: string, message: string | null): string {
    const ofKind = this.#told.filter((one) => one.kind === kind);
    const same = ofKind.find((one) => one.text === text) ?? (message === this.#message ? ofKind[0] : undefined);
    if (same === undefined) return text;
    this.#told = this.#told.filter((one) => one !== same);
    return text.startsWith(same.text) ? text.slice(same.text.length) : same.text.includes(text.trim()) ? "" : text;
  }

  #isSum(block: ToldBlock): boolean {
    const ofKind = this.#pieces.filter(({ kind }) => kind === block.kind);
    const isSum = ofKind.length > 1 && ofKind.map(({ text }) => text).join("") === block.text;
    this.#pieces = isSum ? [] : [...this.#pieces, block];
    return isSum;
  }

  #brokenOff(): AgentEvent[] {
    if (!this.#isHalf) return [];
    this.#isHalf = false;
    const message = "The answer broke off and was asked for again; it begins anew";
    return [{ type: "notice", severity: "warning", message }];
  }
}

const spoken = (kind: BlockKind, text: string): AgentEvent => ({ type: kind === "text" ? "text" : "thought", text });
