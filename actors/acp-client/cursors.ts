/**
 * Where a client is in a session that reports it: the extension `troupe/cursor` of agents that offer it.
 *
 * I1. A text counts when the cursor after it has come, and is shown then: what comes between the last cursor and a loss
 *     comes again, and would be shown twice. Updates that replace what they name may come twice, and wait only behind
 *     a text.
 * I2. An agent that offers no cursors is not waited for.
 */
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import { z } from "zod";

export const CURSOR = "troupe/cursor";
export const CURSOR_METHOD = `_${CURSOR}`;

const offset = z.int().min(0);
const told = z.object({ sessionId: z.string(), seq: offset, shown: z.record(z.string(), offset) });
export type CursorNotification = z.infer<typeof told>;
export type CursorPosition = Pick<CursorNotification, "seq" | "shown">;
/** Throws for what is no cursor. */
export const cursorNotification = (params: unknown): CursorNotification => told.parse(params);

export const offersCursors = ({ agentCapabilities }: InitializeResponse): boolean =>
  agentCapabilities?._meta?.[CURSOR] === true;

export class Held {
  /** The last one that came. */
  place: CursorPosition | null = null;
  #waiting: (() => void)[] = [];

  /** Shows it now, or after the next cursor (I1). */
  take(kind: string, show: () => void): void {
    if (kind.endsWith("_chunk") || this.#waiting.length > 0) this.#waiting.push(show);
    else show();
  }
  reach(place: CursorPosition): void {
    this.place = place;
    this.release();
  }
  /** What waits is shown: nothing of it comes again. */
  release(): void {
    for (const show of this.#waiting.splice(0)) show();
  }
  /** What waits comes again. */
  drop(): void {
    this.#waiting = [];
  }
}
