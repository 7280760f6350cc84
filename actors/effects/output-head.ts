/**
 * The part of a command's output that templates see: its head.
 *
 * I1. At most `max` bytes are held, a character is never split, and what does not fit is only counted.
 */

export class OutputHead {
  #text = "";
  #left: number;
  #cut = false;

  constructor(max: number) {
    this.#left = max;
  }

  add(text: string): void {
    if (this.#cut) return;
    const bytes = Buffer.byteLength(text);
    if (bytes <= this.#left) {
      this.#text += text;
      this.#left -= bytes;
      return;
    }
    const head = Buffer.from(text);
    let end = this.#left;
    // A byte of the form 10xxxxxx continues a character.
    while (end > 0 && ((head[end] ?? 0) & 0xc0) === 0x80) end--;
    this.#text += head.toString("utf8", 0, end);
    this.#cut = true;
  }

  get text(): string {
    return this.#text;
  }
  /** True when something did not fit. */
  get cut(): boolean {
    return this.#cut;
  }
}
