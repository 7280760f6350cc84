/**
 * Cursors on the wire: where a client is in a session's log, sent to those that ask for it; an extension,
 * `troupe/cursor`.
 *
 * I1. A cursor follows, in order, the updates that it counts in.
 */
import { RequestError } from "@agentclientprotocol/sdk";
import type { Json } from "../../actors/troupe.ts";
import type { CursorPlace } from "../../projections/acp/cursor.ts";

export const CURSOR = "troupe/cursor";
const METHOD = `_${CURSOR}`;

/** Whether the client said at `initialize` that it wants cursors. */
export function wantsCursors(capabilities: Json): boolean {
  const { _meta } = (capabilities ?? {}) as { _meta?: { [name: string]: unknown } | null };
  return _meta?.[CURSOR] === true;
}

/** The notification of a client's place. */
export const cursorMessage = (sessionId: string, { seq, shown }: CursorPlace): object => ({
  jsonrpc: "2.0",
  method: METHOD,
  params: { sessionId, seq, shown },
});

/** The cursor that a client came with; null when it has none. Throws -32602 for what is none of this session. */
export function placeOf(meta: { [name: string]: unknown } | null | undefined, head: number): CursorPlace | null {
  const given = meta?.[CURSOR] as Partial<CursorPlace> | null | undefined;
  if (given === undefined || given === null) return null;
  const { seq, shown = {} } = given;
  const isPlace = isOffset(seq) && seq <= head && typeof shown === "object" && shown !== null;
  if (isPlace && Object.values(shown).every(isOffset)) return { seq, shown };
  throw new RequestError(-32602, `_meta["${CURSOR}"] must be a cursor that this session has given`, {
    code: "USER.ACP.INVALID_PARAMS",
    field: "_meta",
  });
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
