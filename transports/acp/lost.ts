/** Whether the log of a turn can still be written. */
import type { Session } from "../../actors/troupe.ts";

/** Rejects when the log of the turn in flight cannot be written; otherwise it never settles. */
export function whenLost(session: Session): Promise<never> {
  return new Promise((_, reject) => session.ended()?.catch(reject));
}
