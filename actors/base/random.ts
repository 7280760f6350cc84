/**
 * Words that nobody can guess.
 *
 * I1. Their bytes come from the system, and none is used twice.
 * I2. Where the system shows such bytes as a file, Node's own module is not loaded: that takes 5 ms of processor time,
 *     which a short command would pay for one name.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const SOURCE = "/dev/urandom";
/** Bytes are fetched in stocks: a few at a time cost ten times as much. */
const STOCK_BYTES = 4_096;
let stock: Buffer = Buffer.alloc(0);
let next = 0;

/** `bytes` fresh bytes, as text. At most STOCK_BYTES. */
export function randomWord(bytes: number, encoding: "hex" | "base64url"): string {
  if (next + bytes > stock.length) {
    stock = bytesOf(SOURCE, STOCK_BYTES) ?? randomBytes(STOCK_BYTES);
    next = 0;
  }
  next += bytes;
  return stock.toString(encoding, next - bytes, next);
}

/** As many bytes from a device; null where there is none of that name. */
export function bytesOf(device: string, length: number): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(device, "r");
    // A plain file in its place would answer, too.
    if (!fstatSync(file).isCharacterDevice()) return null;
    const bytes = Buffer.alloc(length);
    return readSync(file, bytes) === length ? bytes : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
