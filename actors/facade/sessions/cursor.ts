/**
 * The place in a list of sessions at which its next page begins, as a text that clients hand back.
 *
 * I1. Only a text that was made with this key for this list, less than CURSOR_TTL_MS ago, is read; for any other an
 *     error says so. A first page is never given in its place.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { PagePosition } from "../../host/reads.ts";

export const CURSOR_TTL_MS = 60 * 60 * 1000;
const SEPARATOR = ".";

/** Whose list it is, and of which directory. */
export type Filter = { principal: string; cwd: string | null };
export type Sealing = { key: Buffer; filter: Filter; now: number };

export function sealCursor({ updated, id }: PagePosition, { key, filter, now }: Sealing): string {
  const place = Buffer.from(JSON.stringify([updated, id, now])).toString("base64url");
  return place + SEPARATOR + sealOf(place, key, filter).toString("base64url");
}

/** Throws USER.SESSION.CURSOR. */
export function openCursor(cursor: string, { key, filter, now }: Sealing): PagePosition {
  const [place = "", seal = "", ...more] = cursor.split(SEPARATOR);
  const expected = sealOf(place, key, filter);
  const given = Buffer.from(seal, "base64url");
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refused("the cursor is not one of this list");
  const [updated, id, made] = JSON.parse(Buffer.from(place, "base64url").toString()) as [number, string, number];
  if (now - made >= CURSOR_TTL_MS) throw refused("the cursor has expired");
  return { updated, id };
}

const sealOf = (place: string, key: Buffer, { principal, cwd }: Filter): Buffer =>
  createHmac("sha256", key)
    .update(JSON.stringify([place, principal, cwd]))
    .digest();

const refused = (what: string): TroupeError =>
  new TroupeError("USER.SESSION.CURSOR", `${what}: list again from the start, without a cursor`, { field: "cursor" });
