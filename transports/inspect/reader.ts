/**
 * One that receives what durable machines do: over a socket, or as events of a stream.
 *
 * I1. It receives as much as it takes. What waits is kept as it was seen, and becomes text when it is its turn.
 * I2. One that has fallen behind by MOST_WAITING is given up; it reconnects and receives what is kept.
 * I3. No turn of the event loop writes more than PIECE_CHARS and a message: those who run workflows go first.
 * I4. What happens within PAUSE_MS is written together: a person sees it no sooner, and each write costs more than the
 *     messages in it. At its end it is sent what still waits, as far as it takes it.
 */
import type { NumberedInspection } from "../../projections/inspection/history.ts";
import { wireText } from "../../projections/inspection/wire.ts";

export const MOST_WAITING = 20_000;
const PIECE_CHARS = 256 * 1024;
export const PAUSE_MS = 15;
/** So many are written without a pause: who tells them may go on for long, and I2 gives up who falls behind. */
const MANY = 1_000;

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
  #pause: NodeJS.Timeout | undefined;
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
    this.#goOn();
  }
  /** I4. */
  last(): void {
    while (this.#hasMore) this.#options.together(() => this.#write());
  }
  end(): void {
    this.#isOver = true;
    this.#waiting = [];
    clearTimeout(this.#pause);
    clearImmediate(this.#turn);
  }

  get #hasMore(): boolean {
    return !this.#isOver && !this.#isFull && this.#next < this.#waiting.length;
  }
  #schedule(): void {
    if (this.#waiting.length - this.#next >= MANY) return this.#goOn();
    if (!this.#hasMore || this.#turn !== undefined) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#goOn();
    }, PAUSE_MS);
  }
  #goOn(): void {
    if (!this.#hasMore) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#options.together(() => this.#write());
      this.#goOn();
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
