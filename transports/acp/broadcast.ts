/**
 * The connections of one principal, where each is sent what any of them is sent.
 *
 * I1. A connection that attends a session is shown it by its own view, and by nothing else.
 * I2. No question is asked here, and no session is kept running by it.
 */
import type { Session } from "../../actors/troupe.ts";

export interface BroadcastMember {
  attends(session: string): boolean;
  /** Shows a turn that begins behind this row. */
  hear(session: Session, after: number): void;
  /** That turn is over. */
  heard(session: Session): void;
  /** Sends an update of a session that it does not attend. */
  told(session: string, update: object): void;
}

export class BroadcastGroup {
  readonly #listeners = new Set<BroadcastMember>();

  enter(listener: BroadcastMember): void {
    this.#listeners.add(listener);
  }
  leave(listener: BroadcastMember): void {
    this.#listeners.delete(listener);
  }
  /** Those that do not attend this session. */
  besides(session: string): BroadcastMember[] {
    return [...this.#listeners].filter((listener) => !listener.attends(session));
  }
}
