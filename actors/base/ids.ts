/**
 * New ids. A session's is hard to guess, for knowing it is how a client names it; the others only have to differ.
 *
 * I1. None begins with a hyphen: on a command line it would be an option.
 */
import type { Kind } from "../../machines/model.ts";
import { randomWord } from "./random.ts";

export type Ids = (kind: Kind | "tell") => string;

const BYTES: { [kind in Parameters<Ids>[0]]?: number } = { session: 16, permission: 16 };

export const randomIds: Ids = (kind) => {
  const id = randomWord(BYTES[kind] ?? 9, "base64url");
  return id.startsWith("-") ? randomIds(kind) : id;
};
