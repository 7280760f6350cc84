/**
 * Text blocks on the sheet: made safe, shown once, and whole lines only where several steps speak at once.
 *
 * I1. A step in a `parallel` is heard line by line, each line under its name; a line still open is shown at its end.
 */
import type { TextRow } from "../../machines/exchange.ts";
import { SafeText } from "./safe.ts";
import type { Sheet, Voice } from "./sheet.ts";
import { blockKey, Shown } from "./shown.ts";

type Block = { safe: SafeText; pending: string; step: string; voice: Voice; whole: boolean };

export class Speech {
  readonly #sheet: Sheet;
  readonly #shown = new Shown();
  readonly #blocks = new Map<string, Block>();

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
  }

  /** `whole`: only whole lines. `step` says at which step's end the block ends. */
  hear(
    row: TextRow,
    live: boolean,
    speaker: { step: string; margin: string; style: Voice["style"]; whole: boolean },
  ): void {
    const fresh = this.#shown.fresh(row, live);
    if (fresh === "") return;
    const key = blockKey(row);
    let block = this.#blocks.get(key);
    if (block === undefined) {
      const { step, margin, style, whole } = speaker;
      block = { safe: new SafeText(), pending: "", step, voice: { speaker: key, margin, style }, whole };
      this.#blocks.set(key, block);
    }
    const text = block.safe.push(fresh);
    if (!block.whole) return this.#sheet.say(block.voice, text);
    const lines = (block.pending + text).split("\n");
    block.pending = lines.pop() ?? "";
    for (const line of lines) this.#sheet.line(block.voice.margin + block.voice.style(line));
  }

  /** The step has ended, and its blocks with it. */
  end(step: string): void {
    for (const [key, block] of this.#blocks) {
      if (block.step !== step) continue;
      if (block.pending !== "") this.#sheet.line(block.voice.margin + block.voice.style(block.pending));
      this.#blocks.delete(key);
    }
  }
}
