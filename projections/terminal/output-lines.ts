/**
 * What a program prints, line by line, as its terminal would have left it: safe, and without what a carriage return
 * took back. A progress bar is one line.
 *
 * I1. The result does not depend on how the text was cut into chunks.
 * I2. Where a line has a bound, no more of it is held: what comes after that is left out.
 * I3. As pieces, no more of a line is held than PART: what is given out is not taken back any more.
 */
import { SafeText } from "./safe.ts";

/** UTF-16 units. */
const PART = 65_536;
/** A line, or a part of one that has not ended. */
export type LinePart = { text: string; ends: boolean };

export class OutputLines {
  readonly #safe = new SafeText();
  readonly #most: number;
  #open = "";
  /** The next character takes the place of the line, unless it ends it. */
  #returned = false;

  /** `most`: UTF-16 units of a line. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** The lines that this text ends, whole. */
  push(text: string): string[] {
    return this.#take(text, Number.POSITIVE_INFINITY).map((piece) => piece.text);
  }
  /** The same, but of a line that is too long to wait for its end a part as soon as it is there (I3). */
  pieces(text: string): LinePart[] {
    return this.#take(text, PART);
  }

  #take(text: string, longest: number): LinePart[] {
    const pieces: LinePart[] = [];
    for (const [index, part] of text.split("\r").entries()) {
      if (index > 0) this.#returned = true;
      const [first = "", ...rest] = this.#safe.push(part).split("\n");
      this.#write(first, longest, pieces);
      for (const line of rest) {
        pieces.push({ text: this.#open, ends: true });
        this.#open = "";
        this.#returned = false;
        this.#write(line, longest, pieces);
      }
    }
    return pieces;
  }
  /** The line that has not ended yet. */
  get open(): string {
    return this.#open;
  }
  /** Ends the line that is open, and answers it; empty where there is none. */
  close(): string {
    const line = this.#open;
    this.#open = "";
    return line;
  }

  #write(text: string, longest: number, pieces: LinePart[]): void {
    if (text === "") return;
    const open = this.#returned ? "" : this.#open;
    const left = this.#most - open.length;
    this.#open = open + (text.length > left ? text.slice(0, left) : text);
    this.#returned = false;
    while (this.#open.length > longest) {
      const cut = isHighSurrogate(this.#open.charCodeAt(longest - 1)) ? longest - 1 : longest;
      pieces.push({ text: this.#open.slice(0, cut), ends: false });
      this.#open = this.#open.slice(cut);
    }
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
