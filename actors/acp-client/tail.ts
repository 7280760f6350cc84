/**
 * The end of a text, in bytes of UTF-8.
 *
 * I1. Not more than `max` bytes are kept, and what is cut off is cut between two characters.
 */
export class Tail {
  readonly #max: number;
  #parts: { text: string; bytes: number }[] = [];
  #bytes = 0;
  #isCut = false;
  constructor(max: number) {
    this.#max = max;
  }

  get isCut(): boolean {
    return this.#isCut;
  }
  get bytes(): number {
    return this.#bytes;
  }
  get text(): string {
    return this.#parts.map(({ text }) => text).join("");
  }

  push(text: string): void {
    if (text === "") return;
    const bytes = Buffer.byteLength(text);
    this.#parts.push({ text, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#max) this.#cut();
    // Many small parts would cost more than the text itself.
    if (this.#parts.length > 1024) this.#parts = [{ text: this.text, bytes: this.#bytes }];
  }

  #cut(): void {
    this.#isCut = true;
    const first = this.#parts[0];
    if (first === undefined) return;
    const over = this.#bytes - this.#max;
    if (first.bytes <= over) {
      this.#parts.shift();
      this.#bytes -= first.bytes;
      return;
    }
    const buffer = Buffer.from(first.text);
    let from = over;
    while (from < buffer.length && ((buffer[from] ?? 0) & 0xc0) === 0x80) from++;
    this.#bytes -= from;
    this.#parts[0] = { text: buffer.toString("utf8", from), bytes: buffer.length - from };
  }
}
