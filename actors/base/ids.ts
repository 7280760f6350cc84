/**
 * New ids. A session's is hard to guess, for knowing it is how a client names it; the others only have to differ.
 *
 * I1. None begins with a hyphen: on a command line it would be an option.
 */
import { randomBytes } from "node:crypto";
import type { Kind } from "../../machines/model.ts";

export type Ids = (kind: Kind | "tell") => string;

const BYTES: { [kind in Parameters<Ids>[0]]?: number } = { session: 16, permission: 16 };

/** Randomness is fetched in stocks: one id at a time costs ten times as much. No byte is used twice. */
const STOCK_BYTES = 4_096;
let stock = Buffer.alloc(0);
let next = 0;

export const randomIds: Ids = (kind) => {
  const length = BYTES[kind] ?? 9;
  if (next + length > stock.length) {
    stock = randomBytes(STOCK_BYTES);
    next = 0;
  }
  next += length;
  const id = stock.toString("base64url", next - length, next);
  return id.startsWith("-") ? randomIds(kind) : id;
};
