/**
 * Where a client is in a session's log, so that it comes back without a gap or a repeat.
 *
 * I1. `shown` holds the blocks whose text the client has beyond the row `seq`, and no others.
 * I2. Rows from behind where the client comes in say how far their blocks are, and nothing else.
 * I3. What is not shown is not counted in: a live chunk whose beginning the client does not have waits for its row.
 */
import { filter, pipe } from "rxjs";
import { type Frame, isLive, isText, type TextRow } from "../../machines/exchange.ts";
import { folding, type Projection } from "../shared/projection.ts";
import { TextOffsets } from "./text-offsets.ts";

/** `shown`: how much of each block was shown, in UTF-16 units. */
export type CursorPlace = { seq: number; shown: { [block: string]: number } };

/** Where the client is after each batch. `begins`: the row behind which its log is read, when that is before its place. */
export const cursorPlaces = (from: CursorPlace, begins: number): Projection<CursorPlace> =>
  pipe(
    folding(
      () => new CursorTracker(from, begins),
      (cursor, frames: readonly Frame[]) => cursor.after(frames),
    ),
    filter((place) => place !== null),
  );

class CursorTracker {
  readonly #blocks: TextOffsets;
  readonly #ahead: Map<string, number>;
  readonly #from: number;
  /** The last row that was read. */
  #read: number;
  constructor({ seq, shown }: CursorPlace, begins: number) {
    this.#from = seq;
    this.#read = begins;
    this.#ahead = new Map(Object.entries(shown));
    this.#blocks = new TextOffsets(this.#ahead);
  }

  /** Null while what is read lies behind the client. */
  after(frames: readonly Frame[]): CursorPlace | null {
    for (const frame of frames) {
      if (!isLive(frame)) this.#read = frame.seq;
      if (isText(frame)) this.#count(frame);
    }
    return this.#read < this.#from ? null : { seq: this.#read, shown: Object.fromEntries(this.#ahead) };
  }

  #count(frame: Frame & TextRow): void {
    const spoken = this.#blocks.of(frame);
    const isShown = this.#blocks.fresh(spoken, frame) !== ""; // I3
    const { offset, text } = frame.payload;
    if (!isLive(frame)) {
      if (offset + text.length >= spoken.shown) this.#ahead.delete(spoken.id);
    } else if (isShown) this.#ahead.set(spoken.id, spoken.shown);
  }
}
