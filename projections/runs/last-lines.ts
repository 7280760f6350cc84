/**
 * The last lines of a step's output, as a person reads them after a failure.
 *
 * I1. It holds a bounded text, whatever was written; a block that begins anew takes the place of what it said before.
 */
import type { TextPayload } from "../../machines/exchange.ts";

/** UTF-16 units that are held. */
const MOST_HELD = 16_384;

export class LastLines {
  #block = "";
  #text = "";

  see({ block, offset, text }: TextPayload): void {
    if (block !== this.#block || offset === 0) this.#text = "";
    this.#block = block;
    this.#text = text.length >= MOST_HELD ? text.slice(-MOST_HELD) : (this.#text + text).slice(-MOST_HELD);
  }

  /** At most so many, without empty ones at the end. */
  lines(most: number): string[] {
    const text = this.#text.trimEnd();
    return text === "" ? [] : text.split(/\r*\n/).slice(-most).map(lastWritten);
  }
}

/** Without what a carriage return took back. */
const lastWritten = (line: string): string => line.slice(line.lastIndexOf("\r") + 1);
