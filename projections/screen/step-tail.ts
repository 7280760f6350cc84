/**
 * The last lines of a step at work, as they come: its words, its thoughts, its tools, what its programs print.
 *
 * I1. It holds a bounded number of lines, whatever comes. All of it is safe to show.
 * I2. Live chunks and the rows that commit them are shown once.
 */
import { type Exchange, isText, type RowOf, type TextRow } from "../../machines/exchange.ts";
import { OutputLines } from "../terminal/output-lines.ts";
import { safeLine } from "../terminal/safe.ts";
import { blockKey, Shown } from "../terminal/shown.ts";
import { retryLine } from "../terminal/tool-words.ts";

export type Tone = "said" | "thought" | "printed" | "error" | "tool" | "retry";
export type TailLine = { tone: Tone; text: string };
type Block = { tone: Tone; text: OutputLines };

/** Lines that are held. */
const MOST_LINES = 64;
/** UTF-16 units of a line that are held: no screen is as wide, and each is read anew whenever the screen is drawn. */
const MOST_OF_A_LINE = 4_096;

export class StepTail {
  readonly #shown = new Shown();
  readonly #open = new Map<string, Block>();
  readonly #tools = new Map<string, TailLine>();
  #lines: TailLine[] = [];

  see(row: Exchange): void {
    switch (row.type) {
      case "tool.call":
      case "tool.update":
      case "tool.result":
        return isText(row) ? this.hear(row, false) : this.#tool(row.payload as RowOf<"tool.call">["payload"]);
      case "message.assistant":
      case "message.thought":
        return this.hear(row, false);
      case "step.retrying":
        this.#settle(null);
        this.#open.clear();
        return this.#add({ tone: "retry", text: retryLine(row.payload) });
      default:
    }
  }
  hear(row: TextRow, live: boolean): void {
    const { call, stream } = row.payload;
    // What a tool of an agent prints belongs to its card.
    if (call !== undefined && stream === undefined) return;
    const fresh = this.#shown.fresh(row, live);
    if (fresh === "") return;
    const key = blockKey(row);
    let block = this.#open.get(key);
    if (block === undefined) {
      this.#settle(key);
      block = { tone: toneOf(row), text: new OutputLines(MOST_OF_A_LINE) };
      this.#open.set(key, block);
    }
    for (const text of block.text.push(fresh)) this.#add({ tone: block.tone, text });
  }

  /** At most so many, without empty ones. */
  last(most: number): TailLine[] {
    if (most <= 0) return [];
    const open = [...this.#open.values()].map(({ tone, text }) => ({ tone, text: text.open }));
    const lines = [...this.#lines, ...open].filter(({ text }) => text.trim() !== "").slice(-most);
    return lines.map(({ tone, text }) => ({ tone, text: safeLine(text) }));
  }

  #tool({ call, title }: { call: string; title?: string }): void {
    if (title === undefined) return;
    const known = this.#tools.get(call);
    if (known !== undefined) {
      known.text = `• ${safeLine(title)}`;
      return;
    }
    this.#settle(null);
    const line: TailLine = { tone: "tool", text: `• ${safeLine(title)}` };
    this.#tools.set(call, line);
    this.#add(line);
  }
  /** Who spoke before has ended its line; a program may still continue its own. */
  #settle(key: string | null): void {
    for (const [other, { tone, text }] of this.#open) {
      if (other === key || tone === "printed" || tone === "error") continue;
      if (text.open !== "") this.#add({ tone, text: text.open });
      this.#open.delete(other);
    }
  }
  #add(line: TailLine): void {
    this.#lines.push(line);
    if (this.#lines.length >= 2 * MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES);
  }
}

function toneOf({ type, payload }: TextRow): Tone {
  if (payload.stream !== undefined) return payload.stream === "stderr" ? "error" : "printed";
  return type === "message.thought" ? "thought" : "said";
}
