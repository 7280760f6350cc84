/**
 * Bytes in portions become lines of bytes.
 *
 * I1. A line of more than `maxBytes` is dropped while it arrives: no more than that is ever held. It is reported once, with
 *     its two ends.
 * I2. A line that is handed over is good until `onLine` returns: the bytes may be the reader's, who uses them again.
 */
const NEWLINE = 10;
const END_BYTES = 512;

/** The first and the last bytes of a line. */
export type LineEnds = { head: Buffer; tail: Buffer };

export type ByteLinesOptions = {
  maxBytes: number;
  onLine: (line: Buffer) => void;
  onTooLong: (ends: LineEnds) => void;
};

export class ByteLines {
  readonly #o: ByteLinesOptions;
  #parts: Buffer[] = [];
  #size = 0;
  #ends: LineEnds | null = null;
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
    if (start === bytes.length) return;
    // What is kept is a copy (I2).
    if (this.#size <= this.#o.maxBytes) this.#keep(Buffer.from(bytes.subarray(start)));
    else this.#drop(bytes.subarray(start));
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.#size > 0) this.#line();
  }

  #keep(part: Buffer): void {
    if (this.#size + part.length > this.#o.maxBytes) return this.#drop(part);
    this.#size += part.length;
    this.#parts.push(part);
  }
  #drop(part: Buffer): void {
    const before = this.#ends?.tail ?? this.#parts.at(-1)?.subarray(-END_BYTES) ?? Buffer.alloc(0);
    const tail = Buffer.concat([before, part.subarray(-END_BYTES)]).subarray(-END_BYTES);
    this.#ends = { head: this.#ends?.head ?? headOf([...this.#parts, part]), tail };
    this.#size += part.length;
    this.#parts = [];
  }

  #line(): void {
    const parts = this.#parts;
    const ends = this.#ends;
    this.#parts = [];
    this.#size = 0;
    this.#ends = null;
    if (ends !== null) return this.#o.onTooLong(ends);
    this.#o.onLine(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
  }
}

const headOf = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat(
    parts,
    Math.min(
      END_BYTES,
      parts.reduce((sum, { length }) => sum + length, 0),
    ),
  );
