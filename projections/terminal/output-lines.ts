/**
 * What a program prints, line by line, as its terminal would have left it: safe, and without what a carriage return
 * took back. A progress bar is one line.
 *
 * I1. The result does not depend on how the text was cut into chunks.
 * I2. Where a line has a bound, no more of it is held: what comes after that is left out.
 */
import { SafeText } from "./safe.ts";

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
    const lines: string[] = [];
    for (const [index, part] of text.split("\r").entries()) {
      if (index > 0) this.#returned = true;
      const [first = "", ...rest] = this.#safe.push(part).split("\n");
      this.#write(first);
      for (const line of rest) {
        lines.push(this.#open);
        this.#open = "";
        this.#returned = false;
        this.#write(line);
      }
    }
    return lines;
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

  #write(text: string): void {
    if (text === "") return;
    const open = this.#returned ? "" : this.#open;
    const left = this.#most - open.length;
    this.#open = open + (text.length > left ? text.slice(0, left) : text);
    this.#returned = false;
  }
}
