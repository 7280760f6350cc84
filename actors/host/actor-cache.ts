/**
 * The actors that this process has in memory: a cache over the store's rows, loaded on first touch.
 *
 * I1. An actor in memory equals its row at the start of a tick; a tick that fails to commit forgets them all.
 * I2. Actors of sessions that this process does not own are forgotten as soon as another process has committed.
 * I3. A result of a state that an actor keeps is written once, and again only when another one takes its place.
 * I4. At most MAX_CACHED actors stay, those that were used last; MAX_AT_WORK while work runs, since many branches take
 *     turns, and the one that waits longest is the next one. One that is not cached costs a row only.
 */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { allOf, keepsResults, type Results, resultsIn, withResults } from "../../machines/kept-results.ts";
import type { Key, Kind, StateResult, StateResults } from "../../machines/model.ts";
import type { Child, Snap } from "./host.ts";
import { restored, stored } from "./interpret.ts";
import type { Head, Storage } from "./storage.ts";

export const MAX_CACHED = 2_048;
export const MAX_AT_WORK = 4 * MAX_CACHED;

export type Actor = {
  key: Key;
  kind: Kind;
  session: Key;
  parent: Key | null;
  /** The id by which the parent knows it, and the nonce of that start. */
  childId: string;
  nonce: number;
  birth: object;
  snapshot: AnyMachineSnapshot;
  children: Map<string, Child>;
  starts: number;
  isNew: boolean;
  /** The results of states that it has in the store. */
  kept: Kept;
};
/** By their places, and in portions as they stand in its context: one that is still the same has nothing to write. */
type Kept = {
  rows: { state: string; result: StateResult }[];
  portions: { portion: StateResults; from: number; to: number }[];
};
export const NOTHING_KEPT = (): Kept => ({ rows: [], portions: [] });

/** Whether its row outlives it: what a run of a session itself has come to, until the session goes. */
const isKept = ({ snapshot, parent, session }: Actor): boolean =>
  parent === session && snapshot.status === "done" && snapshot.tags.has("kept");

export const kindOf = (key: Key): Kind => key.slice(0, key.indexOf("/")) as Kind;

export class ActorCache {
  readonly #store: Storage;
  readonly #machines = new Map<Kind, AnyStateMachine>();
  readonly #cache = new Map<Key, Actor>();
  readonly #heads = new Map<Key, Head>();
  constructor(store: Storage) {
    this.#store = store;
  }

  define(kind: Kind, machine: AnyStateMachine): void {
    this.#machines.set(kind, machine);
  }
  isMachine(src: string): src is Kind {
    return this.#machines.has(src as Kind);
  }
  machineOf(kind: Kind): AnyStateMachine {
    const machine = this.#machines.get(kind);
    if (machine === undefined) throw new Error(`no machine "${kind}"`);
    return machine;
  }

  load(key: Key): Actor | undefined {
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      this.#use(cached);
      return cached;
    }
    const row = this.#store.actors.load(key);
    if (row === undefined) return undefined;
    const { session, parent, childId, nonce } = row;
    const kind = kindOf(key);
    const { mask } = this.#store;
    const kept = this.#kept(key, kind);
    const snap = withKept(kind, mask.reveal(row.snap) as Snap, kept);
    const birth = mask.reveal(row.birth) as object;
    const actor: Actor = {
      key,
      kind,
      session,
      parent,
      childId,
      nonce,
      birth,
      snapshot: restored(this.machineOf(kind), snap, birth),
      children: new Map(Object.entries(snap.children)),
      starts: snap.starts,
      isNew: false,
      kept,
    };
    this.#cache.set(key, actor);
    return actor;
  }

  /** The session of a key, or nothing when there is no such key. */
  sessionOf(key: Key): Key | undefined {
    return this.#cache.get(key)?.session ?? this.#store.actors.sessionOf(key);
  }
  add(actor: Actor): void {
    this.#cache.set(actor.key, actor);
  }

  /** Whether an actor has a transition for an event now. */
  hears(key: Key, event: EventObject): boolean {
    return this.load(key)?.snapshot.can(event) ?? false;
  }

  /** Writes an actor's snapshot and new results; a new one's birth too. */
  save(actor: Actor): void {
    const { actors, mask } = this.#store;
    const whole = this.snap(actor);
    const results = resultsIn(actor.kind, whole.context as object);
    const snap = mask.hide(results === undefined ? whole : withResultsOf(actor.kind, whole, {}));
    if (actor.isNew) actors.add(actor, mask.hide(actor.birth), snap);
    else actors.save(actor.key, snap);
    actor.isNew = false;
    if (results !== undefined) this.#keep(actor, results);
  }
  #keep(actor: Actor, { filled = [], states }: Results): void {
    const { rows, portions } = actor.kept;
    let n = 0;
    const now = [...filled, states];
    for (const [at, portion] of now.entries()) {
      const known = portions[at];
      const from = n;
      n = known?.portion === portion && known.from === from ? known.to : this.#keepPortion(actor, portion, from);
      portions[at] = { portion, from, to: n };
    }
    portions.length = now.length;
    if (n < rows.length) this.#store.actors.dropResults(actor.key, n);
    rows.length = n;
  }
  /** Answers the place after it. */
  #keepPortion({ key, kept }: Actor, portion: StateResults, from: number): number {
    const { actors, mask } = this.#store;
    let n = from;
    for (const state in portion) {
      const result = portion[state] as StateResult;
      const known = kept.rows[n];
      if (known?.result !== result || known.state !== state) {
        actors.keepResult(key, { n, state, result: mask.hide(result) });
        kept.rows[n] = { state, result };
      }
      n++;
    }
    return n;
  }
  #kept(key: Key, kind: Kind): Kept {
    const kept = NOTHING_KEPT();
    if (!keepsResults(kind)) return kept;
    const { actors, mask } = this.#store;
    for (const { state, result } of actors.results(key))
      kept.rows.push({ state, result: mask.reveal(result) as StateResult });
    return kept;
  }
  snap(actor: Actor): Snap {
    return stored(this.machineOf(actor.kind), actor.snapshot, Object.fromEntries(actor.children), actor.starts);
  }
  read(key: Key): Snap | undefined {
    const actor = this.load(key);
    return actor && this.snap(actor);
  }
  /** Writes what is left of one that has ended: its last state, or nothing. */
  bury(actor: Actor): void {
    if (isKept(actor)) this.save(actor);
    else if (!actor.isNew) this.#store.actors.drop(actor.key);
  }
  drop(actor: Actor): void {
    this.#cache.delete(actor.key);
  }

  /** The seq of a session's last committed row; inside a tick's transaction, of the last one written. */
  head(session: Key): number {
    return this.#head(session).seq;
  }
  /** The place of a next row that came to be at this time: no row is older than the one before it. */
  next(session: Key, now: number): Head {
    const { seq, at } = this.#head(session);
    const next = { seq: seq + 1, at: Math.max(at, now) };
    this.#heads.set(session, next);
    return next;
  }
  #head(session: Key): Head {
    const known = this.#heads.get(session);
    if (known !== undefined) return known;
    const head = this.#store.log.head(session);
    this.#heads.set(session, head);
    return head;
  }

  /** The map's order is the order of use; while there is room, it is not asked for. */
  #use(actor: Actor): void {
    if (this.#cache.size < MAX_CACHED / 2) return;
    this.#cache.delete(actor.key);
    this.#cache.set(actor.key, actor);
  }

  /** After a commit: keeps the cache bounded (I4). */
  trim(most: number): void {
    if (this.#heads.size > most) this.#heads.clear();
    for (const key of this.#cache.keys()) {
      if (this.#cache.size <= most) return;
      this.#cache.delete(key);
    }
  }
  /** Heads are read again in any case: who lost a session to this process has left a row. */
  forget(whose: (session: Key) => boolean): void {
    for (const [key, actor] of this.#cache) if (whose(actor.session)) this.#cache.delete(key);
    this.#heads.clear();
  }
}

const withResultsOf = (kind: Kind, snap: Snap, results: StateResults): Snap => ({
  ...snap,
  context: withResults(kind, snap.context as object, results),
});

/** An earlier version of the store has results in the snapshot itself, until the actor is written again. */
function withKept(kind: Kind, snap: Snap, { rows }: Kept): Snap {
  if (rows.length === 0) return snap;
  const known = resultsIn(kind, snap.context as object);
  const inside = known === undefined ? {} : allOf(known);
  return withResultsOf(kind, snap, { ...inside, ...Object.fromEntries(rows.map((one) => [one.state, one.result])) });
}
