/**
 * Carries out what one event asks: runs the pure transition, books its effects, and writes them with the tick.
 *
 * I1. A throw in a transition leaves the actor failed, a row that says so, and its parent told.
 * I2. The children table decides which result still counts; a late one changes nothing.
 */
import type { AnyMachineSnapshot } from "xstate";
import type { Row } from "../../machines/exchange.ts";
import type { Key, Kind } from "../../machines/model.ts";
import type { Alarms } from "./alarms.ts";
import { Counts } from "./counts.ts";
import { type Actor, type Family, kindOf } from "./family.ts";
import type { Delivery, Effect } from "./host.ts";
import { born, type Inspect, type Moved, moved, reportTo, withChildren } from "./interpret.ts";
import type { Mail } from "./mail.ts";
import type { Store } from "./store.ts";
import { childOf, failure, plain, type Start, success, type Workers } from "./workers.ts";

export interface CarrierHost {
  store: Store;
  family: Family;
  alarms: Alarms;
  workers: Workers;
  now(): number;
  id(kind: Kind): string;
  post(mail: Mail): void;
  append(session: Key, row: Row): void;
  inspect?: Inspect;
}
type Newborn = Pick<Actor, "key" | "session" | "parent" | "childId" | "nonce">;

export class Carrier {
  readonly #host: CarrierHost;
  readonly #dirty = new Set<Actor>();
  readonly #dead = new Set<Actor>();
  readonly #touched = new Set<Key>();
  /** Open questions per session: they count as running, since they need whoever was asked. */
  readonly #asking = new Counts();
  #writes: (() => void)[] = [];
  #starts: Start[] = [];
  constructor(host: CarrierHost) {
    this.#host = host;
  }

  get isDirty(): boolean {
    return this.#dirty.size + this.#dead.size + this.#writes.length > 0;
  }
  touched(): Iterable<Key> {
    return this.#touched;
  }
  asks(session: Key): boolean {
    return this.#asking.has(session);
  }

  deliver(mail: Mail): Delivery {
    const { key, event } = mail;
    const { family, alarms, store } = this.#host;
    if (mail.row !== undefined) {
      const { row } = mail;
      this.#writes.push(() => store.sql.unmail.run(row));
    }
    if (mail.dedupe !== undefined) {
      const seen = store.sql.seen.get(key, mail.dedupe);
      if (seen !== undefined)
        return Number(seen["accepted"]) === 1 ? { accepted: true } : { accepted: false, reason: "refused" };
    }
    const actor = family.load(key);
    if (actor === undefined || actor.snapshot.status !== "active") return { accepted: false, reason: "unknown" };
    this.#touched.add(actor.session);
    if (mail.timer !== undefined) {
      const { timer } = mail;
      alarms.clear(key, timer);
      this.#writes.push(() => store.sql.untimer.run(key, timer));
    }
    const child = childOf(event);
    if (child !== null) {
      const known = actor.children[child];
      if (known === undefined || known.nonce !== mail.nonce) return { accepted: false, reason: "refused" };
      if (known.key === null) this.#settleWork(actor, child);
      delete actor.children[child];
    }
    const accepted = mail.done === undefined || actor.snapshot.can(event);
    if (mail.dedupe !== undefined) store.sql.see.run(key, mail.dedupe, accepted ? 1 : 0);
    const machine = family.machineOf(actor.kind);
    this.#take(actor, () => moved(machine, withChildren(actor.snapshot, actor.children), event), event.type);
    return accepted ? { accepted: true } : { accepted: false, reason: "refused" };
  }

  birth(who: Newborn, input: object): void {
    const { family, now } = this.#host;
    const kind = kindOf(who.key);
    const machine = family.machineOf(kind);
    const birth = { ...input, self: who.key, parent: who.parent, at: now() };
    const actor: Actor = {
      ...who,
      kind,
      birth,
      children: {},
      starts: 0,
      isNew: true,
      snapshot: {} as AnyMachineSnapshot,
    };
    family.add(actor);
    this.#touched.add(who.session);
    if (kind === "permission") this.#asking.add(who.session, 1);
    this.#take(actor, () => born(machine, birth), "xstate.init");
  }

  /** Books everything into the tick's transaction. */
  write(): void {
    const { family, store } = this.#host;
    for (const actor of this.#dirty) if (!this.#dead.has(actor)) family.save(actor);
    for (const write of this.#writes) write();
    for (const actor of this.#dead) {
      if (!actor.isNew) store.sql.drop.run(actor.key);
      if (actor.kind === "session") store.sql.unsee.run(actor.key);
    }
  }

  /** After a rollback: what was to start never will. */
  drop(): void {
    for (const { key, id } of this.#starts) this.#host.workers.settle(key, id);
    this.reset();
  }

  /** After the commit: forgets what it wrote and starts the work. */
  start(): void {
    const starts = this.#starts;
    for (const actor of this.#dead) this.#host.family.drop(actor);
    this.reset();
    for (const start of starts) this.#host.workers.run(start);
  }
  reset(): void {
    this.#dirty.clear();
    this.#dead.clear();
    this.#touched.clear();
    this.#writes = [];
    this.#starts = [];
  }

  #take(actor: Actor, move: () => Moved, event: string): void {
    const { inspect } = this.#host;
    let result: Moved;
    try {
      result = move();
    } catch (error) {
      result = {
        snapshot: Object.assign({}, actor.snapshot, { status: "error", error: plain(error) }) as AnyMachineSnapshot,
        effects: [],
      };
      const { code, message } = plain(error);
      this.#host.append(actor.session, {
        type: "notice",
        payload: { severity: "error", code, message: `${actor.key} failed on ${event}: ${message}` },
      });
    }
    actor.snapshot = result.snapshot;
    this.#dirty.add(actor);
    if (inspect) reportTo(inspect, actor, event);
    for (const effect of result.effects) this.#book(actor, effect);
    withChildren(actor.snapshot, actor.children);
    if (actor.snapshot.status !== "active") this.#bury(actor);
  }

  #bury(actor: Actor): void {
    for (const id of Object.keys(actor.children)) this.#stopChild(actor, id);
    this.#dead.add(actor);
    if (actor.kind === "permission") this.#asking.add(actor.session, -1);
    if (this.#host.alarms.clearKey(actor.key)) this.#writes.push(() => this.#host.store.sql.untimerAll.run(actor.key));
    if (actor.parent === null) return;
    const { status, output, error } = actor.snapshot;
    this.#host.post({
      key: actor.parent,
      nonce: actor.nonce,
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
        return post({ key: effect.to, event: effect.event });
      case "send child":
        return this.#tell(actor, effect.id, effect.event);
      case "send children": {
        for (const id of Object.keys(actor.children)) this.#tell(actor, id, effect.event);
        return;
      }
      case "spawn":
        return this.#spawn(actor, effect.id, effect.src, effect.input);
      case "stop":
        return this.#stopChild(actor, effect.id);
      case "timer": {
        const due = this.#host.now() + effect.delayMs;
        this.#writes.push(() => store.sql.timer.run(key, effect.id, session, due, JSON.stringify(effect.event)));
        return alarms.set({ key, id: effect.id, session, event: effect.event }, due);
      }
      case "untimer": {
        alarms.clear(key, effect.id);
        this.#writes.push(() => store.sql.untimer.run(key, effect.id));
        return;
      }
      default:
        return effect satisfies never;
    }
  }

  #tell(actor: Actor, id: string, event: Mail["event"]): void {
    const child = actor.children[id];
    if (child === undefined) return;
    if (child.key !== null) return this.#host.post({ key: child.key, event });
    if (event.type === "cancel.requested") this.#host.workers.cancel(actor.key, id);
  }

  #spawn(actor: Actor, id: string, src: string, input: unknown): void {
    const { family, store, workers } = this.#host;
    const nonce = ++actor.starts;
    if (family.isMachine(src)) {
      const key: Key = `${src}/${namedId(input) ?? this.#host.id(src)}`;
      actor.children[id] = { src, nonce, key };
      return this.birth(
        { key, session: actor.session, parent: actor.key, childId: id, nonce },
        (input ?? {}) as object,
      );
    }
    actor.children[id] = { src, nonce, key: null };
    const start: Start = { key: actor.key, session: actor.session, id, src, nonce, input };
    workers.expect(start);
    this.#writes.push(() => store.sql.start.run(start.key, id, start.session, nonce));
    this.#starts.push(start);
  }

  #stopChild(actor: Actor, id: string): void {
    const child = actor.children[id];
    if (child === undefined) return;
    delete actor.children[id];
    if (child.key === null) return this.#settleWork(actor, id);
    const orphan = this.#host.family.load(child.key);
    if (orphan === undefined) return;
    orphan.parent = null;
    this.#bury(orphan);
  }

  #settleWork(actor: Actor, id: string): void {
    this.#host.workers.settle(actor.key, id)?.abort.abort();
    this.#writes.push(() => this.#host.store.sql.unstart.run(actor.key, id));
  }
}

/** A birth input may name its own id, so that who asked for it knows it beforehand. */
const namedId = (input: unknown): string | null =>
  typeof input === "object" && input !== null && "id" in input && typeof input.id === "string" ? input.id : null;
