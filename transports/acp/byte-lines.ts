/**
 * Bytes in portions become lines of bytes.
 *
 * I1. A line of more than `maxBytes` is dropped while it arrives: no more than that is ever held. It is reported once.
 * I2. A line that is handed over is good until `onLine` returns: the bytes may be the reader's, who uses them again.
 */
const NEWLINE = 10;

export type ByteLinesOptions = { maxBytes: number; onLine: (line: Buffer) => void; onTooLong: () => void };

export class ByteLines {
  readonly #o: ByteLinesOptions;
  #parts: Buffer[] = [];
  #size = 0;
  constructor(o: ByteLinesOptions) {
    this.#o = o;
  }

  take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#keep(bytes.subarray(start, end));
      this.#line();
      start = end + 1;
    }
    // What is kept is a copy (I2).
    if (start < bytes.length && this.#size <= this.#o.maxBytes) this.#keep(Buffer.from(bytes.subarray(start)));
    else this.#size += bytes.length - start;
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.#size > 0) this.#line();
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#o.maxBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  #line(): void {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    if (size > this.#o.maxBytes) return this.#o.onTooLong();
    this.#o.onLine(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
  }
}
