/**
 * What is written to the terminal: whole lines, and running text that leaves its last line open.
 *
 * I1. One speaker at a time: another's words, or a line, first end the line that is open.
 * I2. A line of running text begins with its margin; an empty line has none.
 */
export type Voice = { speaker: string; margin: string; style: (text: string) => string };

export class Sheet {
  #pieces: string[] = [];
  /** Who left the last line open. */
  #open: string | null = null;

  /** A line of its own. */
  line(text: string): void {
    this.close();
    this.#pieces.push(`${text}\n`);
  }

  /** Running text; it continues where its speaker stopped, unless another one spoke since. */
  say({ speaker, margin, style }: Voice, text: string): void {
    if (text === "") return;
    if (this.#open !== speaker) this.close();
    const lines = text.split("\n");
    let piece = "";
    for (const [index, line] of lines.entries()) {
      if (index > 0) piece += "\n";
      if (line === "") continue;
      const begins = index > 0 || this.#open === null;
      piece += (begins ? margin : "") + style(line);
    }
    this.#open = lines.at(-1) !== "" || (lines.length === 1 && this.#open !== null) ? speaker : null;
    this.#pieces.push(piece);
  }

  /** Ends the open line, if there is one. */
  close(): void {
    if (this.#open === null) return;
    this.#open = null;
    this.#pieces.push("\n");
  }

  /** What was written since the last time, as pieces to be written one after the other. */
  take(): string[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Forgets what was written since the last time. */
  drop(): void {
    this.#pieces = [];
    this.#open = null;
  }
}
