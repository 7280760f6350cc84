/**
 * What an observer of durable machines hears, in XState's terms: an actor is born, an event has come to one, this is
 * what it is now.
 */
import type { Key } from "./model.ts";

/** JSON with the secrets hidden. It is made on demand: an observer that reads only names pays for no more. */
export type Shown = () => string;

/** `rootId`: the session. `at`: milliseconds since the epoch. */
type About = { rootId: Key; actorRef: { id: Key; sessionId: Key }; at: number };
/** `name`: for people. `definition`: the chart of its machine, as a configuration that XState reads. */
export type ActorSeen = About & {
  type: "@xstate.actor";
  name: string;
  parentId: Key | null;
  definition: Shown;
  snapshot: Shown;
};
/** What has come to an actor. `actor` describes the actor, for an observer who did not see its birth. */
type Happened = About & { eventType: string; event: Shown; actor: () => ActorSeen };
/** `sourceId`: the actor that has sent it; null where that is work, a caller from outside, or not known any more. */
export type EventSeen = Happened & { type: "@xstate.event"; sourceId: Key | null };
/** What it is after an event, without what it was born with: only an actor says that. */
export type SnapshotSeen = Happened & { type: "@xstate.snapshot"; isOver: boolean; snapshot: Shown };
/** One event of a durable machine, told apart by `type`. */
export type Inspection = ActorSeen | EventSeen | SnapshotSeen;
/** Is called after the commit, once for each. What it throws is dropped. */
export type Inspect = (inspection: Inspection) => void;
