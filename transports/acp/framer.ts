/**
 * Newline-delimited JSON in: bytes become messages, one a line.
 *
 * I1. Whatever the bytes are, the framer goes on with the next line; it never throws.
 * I2. A line of more than MAX_LINE_BYTES is dropped while it arrives: no more than that is ever held.
 * I3. Only objects are messages. What is none is answered at once, with id null (JSON-RPC 2.0, 5.1).
 */

export const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 10;

export type Message = { readonly [name: string]: unknown };
export type Refusal = {
  jsonrpc: "2.0";
  id: null;
  error: { code: number; message: string; data?: { [name: string]: string | number } };
};
export type Framing = { message: (message: Message) => void; refuse: (refusal: Refusal) => void };

export class Framer {
  readonly #to: Framing;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;
  constructor(to: Framing, maxBytes = MAX_LINE_BYTES) {
    this.#to = to;
    this.#maxBytes = maxBytes;
  }

  /** Bytes in any portions. */
  take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#keep(bytes.subarray(start, end));
      this.#line();
      start = end + 1;
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start));
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.#size > 0) this.#line();
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  #line(): void {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    if (size > this.#maxBytes) return this.#to.refuse(tooLarge(this.#maxBytes));
    // Invalid UTF-8 becomes U+FFFD here; a byte order mark and a carriage return are white space to `trim`.
    const text = (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString("utf8").trim();
    if (text === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#to.refuse(refusal(-32700, "Parse error"));
    }
    if (Array.isArray(value)) return this.#to.refuse(refusal(-32600, "Invalid request: batches are not supported"));
    if (typeof value !== "object" || value === null)
      return this.#to.refuse(refusal(-32600, "Invalid request: a message is an object"));
    this.#to.message(value as Message);
  }
}

const refusal = (code: number, message: string, data?: NonNullable<Refusal["error"]["data"]>): Refusal => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

const tooLarge = (limit: number): Refusal =>
  refusal(-32600, `Invalid request: a line may have at most ${limit} bytes`, {
    code: "USER.ACP.MESSAGE_TOO_LARGE",
    reason: "message_too_large",
    limit,
  });
