/**
 * Newline-delimited JSON in: bytes become messages, one a line.
 *
 * I1. Whatever the bytes are, the framer goes on with the next line; it never throws.
 * I2. A line of more than MAX_LINE_BYTES is dropped while it arrives: no more than that is ever held.
 * I3. Nothing that is nested deeper than MAX_DEPTH is parsed, and no message has a key "__proto__".
 * I4. Only objects are messages. What is none is answered at once, with id null (JSON-RPC 2.0, 5.1).
 */
import { isTooDeep, MAX_DEPTH } from "./depth.ts";

export const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 10;

export type Message = { readonly [name: string]: unknown };
export type Refusal = {
  jsonrpc: "2.0";
  id: null;
  error: { code: number; message: string; data?: { [name: string]: string | number } };
};
/** The defences, which a test exchanges for none. */
export type Limits = { maxBytes: number; isTooDeep: (text: string) => boolean };
export type Framing = { message: (message: Message) => void; refuse: (refusal: Refusal) => void };

export class Framer {
  readonly #to: Framing;
  readonly #maxBytes: number;
  readonly #isTooDeep: Limits["isTooDeep"];
  #parts: Buffer[] = [];
  #size = 0;
  constructor(to: Framing, limits: Partial<Limits> = {}) {
    this.#to = to;
    this.#maxBytes = limits.maxBytes ?? MAX_LINE_BYTES;
    this.#isTooDeep = limits.isTooDeep ?? isTooDeep;
  }

  /** Bytes in any portions. */
  take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#keep(bytes.subarray(start, end));
      this.#line();
      start = end + 1;
    }
    // What is kept is a copy: the bytes are the reader's, who uses them again.
    if (start < bytes.length && this.#size <= this.#maxBytes) this.#keep(Buffer.from(bytes.subarray(start)));
    else this.#size += bytes.length - start;
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
    if (this.#isTooDeep(text)) return this.#to.refuse(tooDeep());
    let value: unknown;
    try {
      value = parse(text);
    } catch {
      return this.#to.refuse(refusal(-32700, "Parse error"));
    }
    if (Array.isArray(value)) return this.#to.refuse(refusal(-32600, "Invalid request: batches are not supported"));
    if (typeof value !== "object" || value === null)
      return this.#to.refuse(refusal(-32600, "Invalid request: a message is an object"));
    this.#to.message(value as Message);
  }
}

/** `JSON.parse` makes "__proto__" a key like others; whoever copies it carelessly changes a prototype. */
function parse(text: string): unknown {
  if (!text.includes("__proto__") && !text.includes("\\u")) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value));
}

export const refusal = (code: number, message: string, data?: NonNullable<Refusal["error"]["data"]>): Refusal => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

const tooDeep = (): Refusal =>
  refusal(-32600, `Invalid request: nested deeper than ${MAX_DEPTH}`, { reason: "too_deep", limit: MAX_DEPTH });

const tooLarge = (limit: number): Refusal =>
  refusal(-32600, `Invalid request: a line may have at most ${limit} bytes`, {
    code: "USER.ACP.MESSAGE_TOO_LARGE",
    reason: "message_too_large",
    limit,
  });
