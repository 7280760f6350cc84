/**
 * A session that comes to the engine from a store: what the session's object does for that.
 *
 * I1. It is there with its last part, and not before. Parts that come again, also after a crash, change nothing more.
 * I2. Lists name it from then on.
 * I3. What it was moved from stays known, so that who moved it can tell the same session from one that went on there.
 * I4. Nothing stays of a move that was cut off: the session may have gone on where it was before it comes again.
 */
import type { ObjectContext, ObjectSharedContext } from "@restatedev/restate-sdk";
import { LOG, ORIGIN, ROW, VERSION } from "./keys.ts";
import type { MovedFrom, Note, Part, TimerSet, Version } from "./protocol.ts";

/** Null where there is no such session; where it came from is null where it has always been here. */
export const originOf = async (ctx: ObjectSharedContext): Promise<{ origin: MovedFrom | null } | null> =>
  (await ctx.get<Version>(VERSION)) === null ? null : { origin: await ctx.get<MovedFrom>(ORIGIN) };

/** What the object sends to others: that a timer comes due, what its lists say. */
export type Sends = { arm(timer: TimerSet): void; note(notes: readonly Note[]): void };

export async function adopt(ctx: ObjectContext, part: Part, sends: Sends): Promise<void> {
  if ((await ctx.get<Version>(VERSION)) !== null) return; // I1
  if (part.n === 0) ctx.clearAll(); // I4
  for (const [name, row] of part.rows) if (row !== null) ctx.set(ROW + name, row);
  const { n, log, last } = part;
  // Before those of the commits that come.
  if (log.length > 0) ctx.set(`${LOG}${"0".repeat(12)}.${String(n).padStart(9, "0")}`, log);
  if (last === null) return;
  const { origin, seq, at, timers, notes } = last;
  ctx.set(ORIGIN, origin);
  ctx.set(VERSION, { n: 1, stamp: `moved-${origin.epoch}-${origin.seq}`, seq, at } satisfies Version);
  sends.note(notes); // I2
  for (const timer of timers) sends.arm(timer);
}
