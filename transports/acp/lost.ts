/** Whether the log of a turn can still be written. */
import type { Session } from "../../actors/troupe.ts";

/** Rejects when the log of the turn in flight cannot be written; otherwise it never settles. */
export function whenLost(session: Session): Promise<never> {
  const lost = new Promise<never>((_, reject) => session.ended()?.catch(reject));
  lost.catch(() => undefined); // a prompt that was refused has its answer already
  return lost;
}
