/**
 * Carries out what one event asks: runs the pure transition, books its effects, and writes them with the tick.
 *
 * I1. A throw in a transition, or a child's failure that nothing handles, leaves the actor failed, a row that says so,
 *     and reported to its parent.
 * I2. The children table decides which result still counts; a late one changes nothing.
 */
import type { AnyMachineSnapshot, EventObject } from "xstate";
import type { Row } from "../../machines/exchange.ts";
import type { Key, Kind } from "../../machines/model.ts";
import { type Actor, type ActorCache, kindOf, NOTHING_KEPT } from "./actor-cache.ts";
import type { Alarms } from "./alarms.ts";
import type { Delivery, Effect } from "./host.ts";
import type { Inspector } from "./inspector.ts";
import { born, type Moved, moved, withChildren } from "./interpret.ts";
import type { Mail } from "./mail.ts";
import type { Ownership } from "./ownership.ts";
import type { Storage } from "./storage.ts";
import { childOf, failure, plain, success, type Workers } from "./workers.ts";

export interface CarrierHost {
  store: Storage;
  family: ActorCache;
  alarms: Pick<Alarms, "set" | "clear" | "clearKey" | "take">;
  own: Pick<Ownership, "works">;
  workers: Pick<Workers, "start" | "end" | "cancel" | "hear">;
  now(): number;
  id(kind: Kind): string;
  post(mail: Mail): void;
  append(session: Key, row: Row): void;
  inspector: Pick<Inspector, "note">;
}
type Newborn = Pick<Actor, "key" | "session" | "parent" | "childId" | "nonce">;
const ACCEPTED: Delivery = { accepted: true };
const REFUSED: Delivery = { accepted: false, reason: "refused" };
const BIRTH: EventObject = { type: "xstate.init" };
const UNKNOWN: Delivery = { accepted: false, reason: "unknown" };

export class Executor {
  readonly #host: CarrierHost;
  readonly #dirty = new Set<Actor>();
  readonly #dead = new Set<Actor>();
  #writes: (() => void)[] = [];
  constructor(host: CarrierHost) {
    this.#host = host;
  }

  get isDirty(): boolean {
    return this.#dirty.size + this.#dead.size + this.#writes.length > 0;
  }

  deliver(mail: Mail): Delivery {
    const { key, event, row, dedupe, timer } = mail;
    const { family, alarms, store } = this.#host;
    if (row !== undefined) this.#writes.push(() => store.mail.drop(row));
    if (timer !== undefined) {
      if (!alarms.take(timer)) return REFUSED;
      const session = family.sessionOf(key);
      if (session !== undefined) this.#writes.push(() => store.timers.drop(session, key, timer.id));
    }
    if (dedupe !== undefined) {
      const seen = store.mail.seen(key, dedupe);
      if (seen !== undefined) return seen ? ACCEPTED : REFUSED;
    }
    const actor = family.load(key);
    if (actor === undefined || actor.snapshot.status !== "active") return UNKNOWN;
    const child = childOf(event);
    if (child !== null) {
      const known = actor.children.get(child);
      if (known === undefined || known.nonce !== mail.nonce) return REFUSED;
      if (known.key === null) this.#endWork(actor, child, known.nonce);
      actor.children.delete(child);
    }
    const isOwn = mail.done === undefined && mail.letter === undefined;
    const accepted = isOwn || accepts(actor.snapshot, event);
    if (dedupe !== undefined) store.mail.see(key, dedupe, accepted);
    const machine = family.machineOf(actor.kind);
    const from = timer === undefined ? (mail.from ?? null) : key;
    this.#take(actor, () => moved(machine, withChildren(actor.snapshot, actor.children), event), event, from);
    return accepted ? ACCEPTED : REFUSED;
  }

  birth(who: Newborn, input: object): void {
    const { family, now } = this.#host;
    const kind = kindOf(who.key);
    const machine = family.machineOf(kind);
    const birth = { ...input, self: who.key, parent: who.parent, at: now() };
    const snapshot = {} as AnyMachineSnapshot;
    const actor: Actor = {
      ...who,
      kind,
      birth,
      children: new Map(),
      starts: 0,
      isNew: true,
      kept: NOTHING_KEPT(),
      snapshot,
    };
    family.add(actor);
    this.#take(actor, () => born(machine, birth), BIRTH, who.parent);
  }

  /** Books everything into the tick's transaction. */
  write(): void {
    const { family, store } = this.#host;
    for (const actor of this.#dead) {
      family.bury(actor);
      if (actor.kind === "session") store.mail.forget(actor.key);
    }
    for (const actor of this.#dirty) if (!this.#dead.has(actor)) family.save(actor);
    for (const write of this.#writes) write();
  }

  /** After the commit: forgets what it wrote. */
  commit(): void {
    for (const actor of this.#dead) this.#host.family.drop(actor);
    this.undo();
  }
  /** After a rollback: what it booked never was. */
  undo(): void {
    this.#dirty.clear();
    this.#dead.clear();
    this.#writes = [];
  }

  #take(actor: Actor, move: () => Moved, event: EventObject, from: Key | null): void {
    let result: Moved;
    try {
      result = move();
    } catch (error) {
      const failed = { status: "error", error: plain(error) };
      result = { snapshot: Object.assign({}, actor.snapshot, failed) as AnyMachineSnapshot, effects: [] };
    }
    actor.snapshot = result.snapshot;
    this.#dirty.add(actor);
    this.#host.inspector.note(actor, event, from);
    if (actor.snapshot.status === "error") this.#host.append(actor.session, failureRow(actor, event.type));
    for (const effect of result.effects) this.#book(actor, effect);
    withChildren(actor.snapshot, actor.children);
    if (actor.snapshot.status !== "active") this.#bury(actor);
  }

  #bury(actor: Actor): void {
    for (const id of [...actor.children.keys()]) this.#stopChild(actor, id);
    this.#dead.add(actor);
    if (this.#host.alarms.clearKey(actor.key))
      this.#writes.push(() => this.#host.store.timers.dropAll(actor.session, actor.key));
    if (actor.parent === null) return;
    const { status, output, error } = actor.snapshot;
    this.#host.post({
      ...{ key: actor.parent, from: actor.key, session: actor.session, nonce: actor.nonce },
      event: status === "done" ? success(actor.childId, output) : failure(actor.childId, plain(error)),
    });
  }

  #book(actor: Actor, effect: Effect): void {
    const { store, alarms, post, append } = this.#host;
    const { key, session } = actor;
    switch (effect.do) {
      case "append":
        return append(session, effect.row);
      case "send":
        return post({ key: effect.to, event: effect.event, from: key });
      case "send child":
        return this.#tell(actor, effect.id, effect.event);
      case "send children": {
        for (const id of actor.children.keys()) this.#tell(actor, id, effect.event);
        return;
      }
      case "spawn":
        return this.#spawn(actor, effect.id, effect.src, effect.input);
      case "stop":
        return this.#stopChild(actor, effect.id);
      case "timer": {
        const { id, event, delayMs } = effect;
        const at = this.#host.now() + delayMs;
        this.#writes.push(() => store.timers.set(session, { key, id, due: at, event: store.mask.hide(event) }));
        return alarms.set({ key, id, at, event }, delayMs);
      }
      case "untimer": {
        // Every timer of a session of ours is known here, and most of those that machines cancel never were set.
        if (alarms.clear(key, effect.id)) this.#writes.push(() => store.timers.drop(session, key, effect.id));
        return;
      }
      default:
        return effect satisfies never;
    }
  }

  #tell(actor: Actor, id: string, event: Mail["event"]): void {
    const child = actor.children.get(id);
    if (child === undefined) return;
    if (child.key !== null) return this.#host.post({ key: child.key, session: actor.session, event, from: actor.key });
    const which = { key: actor.key, id, nonce: child.nonce };
    if (event.type === "cancel.requested") this.#host.workers.cancel(which);
    else this.#host.workers.hear(which, event);
  }

  #spawn(actor: Actor, id: string, src: string, input: unknown): void {
    const { family, store, workers, own } = this.#host;
    this.#stopChild(actor, id); // one that still runs under this id is given up
    const nonce = ++actor.starts;
    if (family.isMachine(src)) {
      const key: Key = `${src}/${namedId(input) ?? this.#host.id(src)}`;
      actor.children.set(id, { src, nonce, key });
      const who = { key, session: actor.session, parent: actor.key, childId: id, nonce };
      return this.birth(who, (input ?? {}) as object);
    }
    actor.children.set(id, { src, nonce, key: null });
    const { key, session } = actor;
    this.#writes.push(() => store.works.start(session, { key, id, nonce }));
    own.works(session, 1);
    workers.start({ key, session, id, src, nonce, input });
  }

  #stopChild(actor: Actor, id: string): void {
    const child = actor.children.get(id);
    if (child === undefined) return;
    actor.children.delete(id);
    if (child.key === null) return this.#endWork(actor, id, child.nonce);
    const orphan = this.#host.family.load(child.key);
    if (orphan === undefined) return;
    orphan.parent = null;
    this.#bury(orphan);
  }

  #endWork({ key, session }: Actor, id: string, nonce: number): void {
    this.#host.workers.end({ key, id, nonce });
    this.#host.own.works(session, -1);
    this.#writes.push(() => this.#host.store.works.end(session, key, id));
  }
}

/** A birth input may name its own id, so that who asked for it knows it beforehand. */
const namedId = (input: unknown): string | null =>
  typeof input === "object" && input !== null && "id" in input && typeof input.id === "string" ? input.id : null;

/** A guard that throws does so again in the transition, where it fails its actor. */
function accepts(snapshot: AnyMachineSnapshot, event: EventObject): boolean {
  try {
    return snapshot.can(event);
  } catch {
    return true;
  }
}

function failureRow({ key, snapshot }: Actor, event: string): Row {
  const { code, message } = plain(snapshot.error);
  return { type: "notice", payload: { severity: "error", code, message: `${key} failed on ${event}: ${message}` } };
}
