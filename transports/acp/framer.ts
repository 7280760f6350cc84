/**
 * Newline-delimited JSON in: bytes become messages, one a line.
 *
 * I1. Whatever the bytes are, the framer continues with the next line; it never throws.
 * I2. A line of more than MAX_LINE_BYTES is dropped while it arrives: no more than that is ever held.
 * I3. Nothing that is nested deeper than MAX_DEPTH, or holds more than MAX_ENTRIES, is parsed, and no message has a key
 *     "__proto__".
 * I4. Only objects are messages. What is none is answered at once, with id null (JSON-RPC 2.0, 5.1).
 */
import { type Message, parseJson } from "../../actors/acp-client/json.ts";
import { MAX_DEPTH, MAX_ENTRIES, type ShapeFault, shapeFault } from "../../actors/acp-client/shape.ts";
import { ByteLines, type LineEnds } from "./byte-lines.ts";

export const MAX_LINE_BYTES = 10 * 1024 * 1024;

export type { Message };
export type Refusal = {
  jsonrpc: "2.0";
  id: null;
  error: { code: number; message: string; data?: { [name: string]: string | number } };
};
/** `text`: what the message was read from. */
export type Framing = {
  message: (message: Message, text: string) => void;
  refuse: (refusal: Refusal, ends?: LineEnds) => void;
};

export class Framer {
  readonly #lines: ByteLines;
  constructor(to: Framing, { maxBytes = MAX_LINE_BYTES }: { maxBytes?: number } = {}) {
    const onTooLong = (ends: LineEnds): void => to.refuse(tooLarge(maxBytes), ends);
    this.#lines = new ByteLines({ maxBytes, onTooLong, onLine: (line) => hear(line, to) });
  }

  /** Bytes in any portions. */
  take(bytes: Buffer): void {
    this.#lines.take(bytes);
  }

  /** The last line may lack its newline. */
  end(): void {
    this.#lines.end();
  }
}

/** The bytes of one message that came as a whole, as the frame of a socket does. The same rules hold as for a line. */
export function takeMessage(
  bytes: Buffer,
  to: Framing,
  { maxBytes = MAX_LINE_BYTES }: { maxBytes?: number } = {},
): void {
  if (bytes.length > maxBytes) return to.refuse(tooLarge(maxBytes));
  hear(bytes, to);
}

/** Invalid UTF-8 becomes U+FFFD here; a byte order mark and a carriage return are white space to `trim`. */
function hear(bytes: Buffer, to: Framing): void {
  const text = bytes.toString("utf8").trim();
  if (text === "") return;
  const fault = shapeFault(text);
  if (fault !== null) return to.refuse(misshapen(fault));
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return to.refuse(refusal(-32700, "Parse error"));
  }
  if (Array.isArray(value)) return to.refuse(refusal(-32600, "Invalid request: batches are not supported"));
  if (typeof value !== "object" || value === null)
    return to.refuse(refusal(-32600, "Invalid request: a message is an object"));
  to.message(value as Message, text);
}

export const refusal = (code: number, message: string, data?: NonNullable<Refusal["error"]["data"]>): Refusal => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** The answer to a message of such a shape. */
export function misshapen(reason: ShapeFault): Refusal {
  switch (reason) {
    case "too_deep":
      return refusal(-32600, `Invalid request: nested deeper than ${MAX_DEPTH}`, { reason, limit: MAX_DEPTH });
    case "too_many_entries":
      return refusal(-32600, `Invalid request: more than ${MAX_ENTRIES} keys and items`, {
        reason,
        limit: MAX_ENTRIES,
      });
    default:
      return reason satisfies never;
  }
}

export const tooLarge = (limit: number): Refusal =>
  refusal(-32600, `Invalid request: a message may have at most ${limit} bytes`, {
    code: "USER.ACP.MESSAGE_TOO_LARGE",
    reason: "message_too_large",
    limit,
  });
