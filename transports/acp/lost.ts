/** What the handle of a session tells beside the facade's interface: whether the log of its turn can still be written. */
import type { Session } from "../../actors/troupe.ts";

type WithEnd = Session & { ended?: () => Promise<unknown> | undefined };

/** Rejects when the log of the turn in flight cannot be written; otherwise it never settles. */
export function whenLost(session: Session): Promise<never> {
  return new Promise((_, reject) => (session as WithEnd).ended?.()?.catch(reject));
}
