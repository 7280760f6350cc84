/**
 * What an observer has seen, for those who come later: they receive what every actor was, and then what has happened.
 *
 * I1. A new reader receives every actor that is there, each before its first event, and of the last inspections in
 *     their order, MOST_KEPT of them or more: as if it had been there from the beginning and had forgotten what is
 *     older.
 * I2. What is kept is bounded: fewer than twice MOST_KEPT inspections, and MOST_STANDING actors beside them. An actor
 *     that was given up is sent anew with its next event.
 */
import type { ActorSeen, Inspection, SnapshotSeen } from "../../machines/inspection.ts";
import type { Key } from "../../machines/model.ts";

export const MOST_KEPT = 1_000;
const MOST_STANDING = 4_096;

/** An inspection with a number of its own, which grows. */
export type NumberedInspection<Seen extends Inspection = Inspection> = { n: number; seen: Seen };
/** An actor as it was before the first inspection that is kept. */
type Standing = { actor: NumberedInspection<ActorSeen>; last: NumberedInspection<SnapshotSeen> | null };

export class InspectionHistory {
  readonly #mostKept: number;
  readonly #mostStanding: number;
  readonly #standing = new Map<Key, Standing>();
  /** Those that were sent, and have not ended. */
  readonly #told = new Set<Key>();
  #kept: NumberedInspection[] = [];
  #count = 0;
  constructor(mostKept: number = MOST_KEPT, mostStanding: number = MOST_STANDING) {
    this.#mostKept = mostKept;
    this.#mostStanding = mostStanding;
  }

  /** Answers what is to be sent: an actor that was not known before its first event. */
  add(seen: Inspection): NumberedInspection[] {
    const { id } = seen.actorRef;
    const isNew = seen.type !== "@xstate.actor" && !this.#told.has(id);
    const told = [...(isNew ? [seen.actor()] : []), seen].map((one) => ({ n: ++this.#count, seen: one }));
    if (seen.type === "@xstate.snapshot" && seen.isOver) this.#told.delete(id);
    else this.#told.add(id);
    this.#kept.push(...told);
    // Many at once: to take the first one out of a list costs as much as the list is long.
    if (this.#kept.length >= 2 * this.#mostKept)
      for (const old of this.#kept.splice(0, this.#kept.length - this.#mostKept)) this.#forget(old);
    return told;
  }

  /** Everything that a reader who comes now receives (I1). */
  all(): NumberedInspection[] {
    const standing = [...this.#standing.values()].flatMap(({ actor, last }): NumberedInspection[] =>
      last === null ? [actor] : [actor, last],
    );
    return [...standing, ...this.#kept];
  }
  /** The sessions of which something is kept. */
  sessions(): Key[] {
    return [...new Set(this.all().map(({ seen }) => seen.rootId))];
  }

  #forget({ n, seen }: NumberedInspection): void {
    const { id } = seen.actorRef;
    switch (seen.type) {
      case "@xstate.actor": {
        this.#standing.set(id, { actor: { n, seen }, last: null });
        const [oldest] = this.#standing.keys();
        if (this.#standing.size <= this.#mostStanding || oldest === undefined) return;
        this.#standing.delete(oldest);
        this.#told.delete(oldest);
        return;
      }
      case "@xstate.event":
        return;
      case "@xstate.snapshot": {
        const standing = this.#standing.get(id);
        if (seen.isOver) this.#standing.delete(id);
        else if (standing !== undefined) standing.last = { n, seen };
        return;
      }
      default:
        return seen satisfies never;
    }
  }
}
