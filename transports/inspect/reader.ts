/**
 * One that receives what durable machines do: over a socket, or as events of a stream.
 *
 * I1. It receives as much as it takes. What waits is kept as it was seen, and becomes text when it is its turn.
 * I2. One that has fallen behind by MOST_WAITING is given up; it reconnects and receives what is kept.
 * I3. No turn of the event loop writes more than PIECE_CHARS and a message: those who run workflows go first.
 */
import type { NumberedInspection } from "../../projections/inspection/history.ts";
import { wireText } from "../../projections/inspection/wire.ts";

export const MOST_WAITING = 20_000;
const PIECE_CHARS = 256 * 1024;

export type ReaderOptions = {
  /** Sends one message; false when it takes no more for now, until `free` is called. */
  send: (text: string) => boolean;
  /** Carries out sends so that what they send leaves at once. */
  together: (sends: () => void) => void;
  /** It is given up (I2). */
  tooSlow: () => void;
  /** Of this session alone; null: of all. */
  session: string | null;
};

export class InspectionReader {
  readonly #options: ReaderOptions;
  #waiting: NumberedInspection[] = [];
  #next = 0;
  #turn: NodeJS.Immediate | undefined;
  #isFull = false;
  #isOver = false;
  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  tell(seen: readonly NumberedInspection[]): void {
    if (this.#isOver) return;
    const { session, tooSlow } = this.#options;
    for (const one of seen) if (session === null || one.seen.rootId === session) this.#waiting.push(one);
    if (this.#waiting.length - this.#next > MOST_WAITING) {
      this.end();
      return tooSlow();
    }
    this.#schedule();
  }
  /** It takes more again. */
  free(): void {
    this.#isFull = false;
    this.#schedule();
  }
  end(): void {
    this.#isOver = true;
    this.#waiting = [];
    clearImmediate(this.#turn);
  }

  #schedule(): void {
    if (this.#isOver || this.#isFull || this.#next >= this.#waiting.length) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#options.together(() => this.#write());
      this.#schedule();
    });
  }
  #write(): void {
    let chars = 0;
    while (chars < PIECE_CHARS && !this.#isFull && this.#next < this.#waiting.length) {
      const text = wireText(this.#waiting[this.#next++] as NumberedInspection);
      chars += text.length;
      this.#isFull = !this.#options.send(text);
    }
    if (this.#next < this.#waiting.length / 2) return;
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
  }
}
