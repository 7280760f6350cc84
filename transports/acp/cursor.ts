/**
 * Where a client is in a session's log, told to those that ask for it, so that they come back without a gap or a
 * repeat: an extension, `troupe/cursor`.
 *
 * I1. A cursor follows, in order, the updates that it counts in.
 * I2. `shown` holds the blocks whose text the client has beyond the row `seq`, and no others.
 * I3. Rows from behind where the client comes in say how far their blocks are, and nothing else.
 * I4. What is not shown is not counted in: a live chunk whose beginning the client does not have waits for its row.
 */
import { RequestError } from "@agentclientprotocol/sdk";
import type { Frame, Json, TextRow } from "../../actors/troupe.ts";
import { TextOffsets } from "../../projections/acp/text-offsets.ts";

export const CURSOR = "troupe/cursor";
const METHOD = `_${CURSOR}`;

/** `shown`: how much of each block was shown, in UTF-16 units. */
export type CursorPlace = { seq: number; shown: { [block: string]: number } };

/** Whether the client said at `initialize` that it wants cursors. */
export function wantsCursors(capabilities: Json): boolean {
  const { _meta } = (capabilities ?? {}) as { _meta?: { [name: string]: unknown } | null };
  return _meta?.[CURSOR] === true;
}

export class CursorTracker {
  readonly #session: string;
  readonly #blocks: TextOffsets;
  readonly #ahead: Map<string, number>;
  #seq: number;
  constructor(session: string, { seq, shown }: CursorPlace) {
    this.#session = session;
    this.#seq = seq;
    this.#ahead = new Map(Object.entries(shown));
    this.#blocks = new TextOffsets(this.#ahead);
  }

  /** What the client is told after a batch. */
  after(frames: readonly Frame[]): object {
    for (const frame of frames) {
      if ("seq" in frame && frame.seq > this.#seq) this.#seq = frame.seq;
      if ("block" in frame.payload) this.#count(frame as Frame & TextRow);
    }
    const shown = Object.fromEntries(this.#ahead);
    return { jsonrpc: "2.0", method: METHOD, params: { sessionId: this.#session, seq: this.#seq, shown } };
  }

  #count(frame: Frame & TextRow): void {
    const spoken = this.#blocks.of(frame);
    const isShown = this.#blocks.fresh(spoken, frame) !== ""; // I4
    const { offset, text } = frame.payload;
    if ("seq" in frame) {
      if (offset + text.length >= spoken.shown) this.#ahead.delete(spoken.id);
    } else if (isShown) this.#ahead.set(spoken.id, spoken.shown);
  }
}

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
