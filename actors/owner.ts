/**
 * The name of one Troupe as the owner of sessions: its process, and which Troupe of that process.
 *
 * I1. Two Troupes never have the same name, also not in one process.
 * I2. One is alive while its process is, and, where that is ours, until it was closed.
 */
import { randomBytes } from "node:crypto";
import { decodeIdentity, encodeIdentity, isAlive, ownIdentity } from "./process/identity.ts";

const BETWEEN = "~";
/** Of the whole process: this library may have been loaded more than once. */
const OWNERS = Symbol.for("troupe.owners");
const all = globalThis as { [OWNERS]?: Set<string> };
all[OWNERS] ??= new Set();
const here = all[OWNERS];

/** A new owner of this process, alive until `ownerClosed`. */
export function newOwner(): string {
  const owner = `${encodeIdentity(ownIdentity())}${BETWEEN}${randomBytes(6).toString("hex")}`;
  here.add(owner);
  return owner;
}

export const ownerClosed = (owner: string): void => void here.delete(owner);

export function isOwnerAlive(owner: string): boolean {
  const [process = "", nonce] = owner.split(BETWEEN, 2);
  const identity = decodeIdentity(process);
  if (identity === null) return false;
  if (nonce !== undefined && process === encodeIdentity(ownIdentity())) return here.has(owner);
  return isAlive(identity);
}
