/**
 * How much of each text block was shown. Live chunks, committed rows and replay all pass here.
 *
 * I1. No piece of a block is given twice.
 * I2. A live chunk beyond what was shown is skipped: its committed row fills the gap. A committed row beyond it is
 *     given whole: what lies before it was committed before the reader began.
 */
import type { Frame, TextRow } from "../../machines/exchange.ts";
import { isLive } from "../../machines/exchange.ts";

/** One block. `id` is unique in the session and serves as a messageId. */
export type BlockOffset = { readonly id: string; shown: number };

/** Blocks are numbered within their run, so that two runs of a session have blocks of the same name. */
export const blockId = (run: string | undefined, block: string): string =>
  run === undefined ? block : `${run}/${block}`;

export class TextOffsets {
  readonly #blocks = new Map<string, BlockOffset>();
  // Chunks of one block mostly follow each other: the last one is found without building its id.
  #run: string | undefined;
  #block: string | undefined;
  #last: BlockOffset = { id: "", shown: 0 };

  /** `shown`: what an earlier reader has shown already, by block id. */
  constructor(shown: ReadonlyMap<string, number>) {
    for (const [id, offset] of shown) this.#blocks.set(id, { id, shown: offset });
  }

  of(row: TextRow): BlockOffset {
    const { block } = row.payload;
    if (block === this.#block && row.run === this.#run) return this.#last;
    const id = blockId(row.run, block);
    let spoken = this.#blocks.get(id);
    if (spoken === undefined) {
      spoken = { id, shown: 0 };
      this.#blocks.set(id, spoken);
    }
    this.#run = row.run;
    this.#block = block;
    this.#last = spoken;
    return spoken;
  }

  /** The part of a text frame that is new to the reader, or "". */
  fresh(spoken: BlockOffset, frame: Frame & TextRow): string {
    const { offset, text } = frame.payload;
    if (offset > spoken.shown && isLive(frame)) return "";
    const end = offset + text.length;
    if (end <= spoken.shown) return "";
    const fresh = offset >= spoken.shown ? text : text.slice(spoken.shown - offset);
    spoken.shown = end;
    return fresh;
  }

  /** Forgets all blocks: when nothing of the session runs, none of them grows. */
  clear(): void {
    this.#blocks.clear();
    this.#block = undefined;
  }
}

/** What a reader was shown of blocks before it came here, by block id. */
export class Ahead {
  readonly #shown: Map<string, number>;
  constructor(shown: ReadonlyMap<string, number>) {
    this.#shown = new Map(shown);
  }

  /** The part of a fresh text that the reader has not had. */
  beyond({ id, shown }: BlockOffset, text: string): string {
    const had = this.#shown.get(id);
    if (had === undefined) return text;
    const begins = shown - text.length;
    if (had > begins) return text.slice(had - begins);
    this.#shown.delete(id);
    return text;
  }
}
