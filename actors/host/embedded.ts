/**
 * The embedded host: keyed machines on SQLite, no server. One tick of the event loop is one transaction.
 *
 * I1. One event at a time per key, in order of arrival.
 * I2. Nothing leaves before its commit: work starts, followers and callers hear, only after it.
 * I3. A text is committed no later than its work's result, in the same transaction and before it.
 * I4. Work that ran when its process died is reported as INTERRUPTED to its machine, once, by whoever takes over.
 * I5. A tick that cannot be written leaves nothing behind: memory is forgotten, callers are told, results tried again.
 */
import type { AnyStateMachine, EventObject } from "xstate";
import type { Cursor, Exchange, Frame, Row } from "../../machines/exchange.ts";
import type { Key, Kind } from "../../machines/model.ts";
import type { Clock } from "../clock.ts";
import { Alarms } from "./alarms.ts";
import { Carrier } from "./carrier.ts";
import { Family } from "./family.ts";
import { Followers } from "./followers.ts";
import type { Delivery, Follower, Host, Snap, Work } from "./host.ts";
import type { Inspect } from "./interpret.ts";
import type { Mail } from "./mail.ts";
import { type Owner, Ownership } from "./ownership.ts";
import { type Delivered, Queue } from "./queue.ts";
import { type Durability, Store } from "./store.ts";
import { takeOver } from "./takeover.ts";
import { Texts } from "./texts.ts";
import { Workers } from "./workers.ts";

export type HostOptions = {
  file: string;
  durability: Durability;
  clock: Pick<Clock, "now" | "after">;
  /** A new id for a key of this kind. */
  id: (kind: Kind) => string;
  owner: Owner;
  inspect?: Inspect;
  /** Every row of this process's own, right after its commit. */
  onRow?: (session: Key, exchange: Exchange) => void;
  /** Called at named moments; a crash test ends the process there. */
  failpoint?: (name: string) => void;
  /** A tick could not be written. */
  onWriteFailed?: (error: unknown) => void;
};
export const RETRY_WRITE_MS = 1_000;

export class EmbeddedHost implements Host {
  readonly store: Store;
  readonly #options: HostOptions;
  readonly #family: Family;
  readonly #own: Ownership;
  readonly #alarms: Alarms;
  readonly #texts: Texts;
  readonly #workers: Workers;
  readonly #carrier: Carrier;
  readonly #followers: Followers;
  readonly #queue = new Queue();
  #scheduled = false;
  #stopped = false;
  #rows: { session: Key; exchange: Exchange }[] = [];

  constructor(options: HostOptions) {
    this.#options = options;
    this.store = new Store(options.file, options.durability);
    this.#family = new Family(this.store);
    this.#own = new Ownership(this.store, options.owner);
    this.#alarms = new Alarms(options.clock, (due) => {
      for (const { key, id, event } of due) this.#post({ key, event, timer: id });
    });
    this.#texts = new Texts({
      show: (session, live) => this.#followers.offer(session, live),
      watched: (session) => this.#followers.has(session),
      head: (session) => this.#family.head(session),
      append: (session, row) => this.#append(session, row),
      schedule: () => this.#schedule(),
      later: (ms, act) => void options.clock.after(ms, act),
    });
    this.#followers = new Followers({
      rows: (key, after, limit) => this.rows(key, after, limit),
      uncommitted: (key) => this.#texts.uncommitted(key),
      schedule: () => this.#schedule(),
    });
    this.#workers = new Workers({
      texts: this.#texts,
      record: (session, row) => {
        this.#append(session, row);
        this.#schedule();
      },
      post: (mail) => this.#post(mail),
      tell: async (key, event) => void (await this.send(key, event)),
      failpoint: (name) => options.failpoint?.(name),
    });
    this.#carrier = new Carrier({
      store: this.store,
      family: this.#family,
      alarms: this.#alarms,
      workers: this.#workers,
      now: () => options.clock.now(),
      id: options.id,
      post: (mail) => this.#post(mail),
      append: (session, row) => this.#append(session, row),
      ...(options.inspect ? { inspect: options.inspect } : {}),
    });
  }

  machine(kind: Kind, machine: AnyStateMachine): void {
    this.#family.define(kind, machine);
  }
  work(src: string, work: Work): void {
    this.#workers.define(src, work);
  }

  create(key: Key, input: object): Promise<void> {
    return new Promise((done, failed) =>
      this.#post({ key, event: { type: "host.create" }, input, done: () => done(), failed }),
    );
  }
  send(key: Key, event: EventObject, options: { dedupe?: string } = {}): Promise<Delivery> {
    return new Promise((done, failed) => this.#post({ key, event, done, failed, ...options }));
  }
  read(key: Key): Snap | undefined {
    this.#refresh();
    const actor = this.#family.load(key);
    return actor && this.#family.snap(actor);
  }
  head(session: Key): number {
    this.#refresh();
    return this.#family.head(session);
  }
  rows(session: Key, after: number, limit: number): Exchange[] {
    return this.store.rows(session, after, limit);
  }
  follow(session: Key, after: Cursor, push: (frames: readonly Frame[]) => void): Follower {
    return this.#followers.add(session, after.seq, push);
  }
  /** Another process has written: followers of sessions that are not owned here look again. */
  recheck(): void {
    if (!this.#refresh()) return;
    this.#followers.recheck((session) => !this.#own.has(session));
  }
  owns(session: Key): boolean {
    return this.#own.has(session);
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#workers.stop();
    this.#alarms.stop();
    this.#texts.flushAll();
    this.#tick();
    this.#stopped = true;
    this.store.close();
  }

  #post(mail: Mail): void {
    this.#queue.post(mail);
    this.#schedule();
  }
  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#stopped) this.#tick();
    });
  }
  /** Forgets what another process may have changed. True when there was such a change. */
  #refresh(): boolean {
    if (this.store.begun || !this.store.foreignChange()) return false;
    this.#family.forget((session) => this.#own.has(session));
    return true;
  }

  #tick(): void {
    let settled: Mail[];
    this.#options.failpoint?.("commit.before");
    try {
      this.#refreshInTransaction();
      settled = this.#queue.drain((mail) => this.#deliver(mail));
      this.#write(this.#queue.waiting);
    } catch (error) {
      return this.#failed(error, this.#queue.takeAll());
    }
    this.#queue.settle();
    const { onRow } = this.#options;
    const rows = this.#rows;
    this.#rows = [];
    for (const { session, exchange } of rows) this.#followers.offer(session, exchange);
    this.#followers.flush(); // before work starts: a follower that joins in this tick misses no live text
    this.#carrier.start();
    for (const mail of settled) mail.done?.(mail.delivery ?? { accepted: true });
    if (onRow) for (const { session, exchange } of rows) onRow(session, exchange);
    this.#followers.flush();
    this.#family.trim();
    if (!this.#queue.isEmpty || this.#followers.waiting || this.#rows.length > 0) this.#schedule();
  }

  /** The cache may be older than what another process committed; inside the transaction it can no longer change. */
  #refreshInTransaction(): void {
    if (this.#queue.isEmpty) return;
    this.store.begin();
    if (this.store.foreignChange()) this.#family.forget((session) => this.#own.has(session));
  }

  #deliver(mail: Mail): Delivered {
    if (mail.input !== undefined) {
      const { cwd, principal } = mail.input as { cwd: string; principal: string };
      this.#own.open(mail.key, cwd, principal, this.#options.clock.now());
      this.#carrier.birth({ key: mail.key, session: mail.key, parent: null, childId: "", nonce: 0 }, mail.input);
      return "settled";
    }
    const session = mail.key.startsWith("session/") ? mail.key : this.#family.load(mail.key)?.session;
    const taken = session === undefined ? "unknown" : this.#own.take(session);
    switch (taken) {
      case "unknown":
        mail.delivery = { accepted: false, reason: "unknown" };
        return "settled";
      case "refused":
        mail.delivery = { accepted: false, reason: "owned" };
        return "settled";
      case "over":
        this.#family.forget((key) => key !== session);
        for (const left of takeOver(this.store, session as Key, this.#alarms)) this.#post(left);
        return "held";
      case "new":
      case "own":
        mail.delivery = this.#carrier.deliver(mail);
        return "settled";
      default:
        return taken satisfies never;
    }
  }

  #append(session: Key, row: Row): void {
    const exchange = { ...row, seq: this.#family.nextSeq(session), at: this.#options.clock.now() } as Exchange;
    this.#rows.push({ session, exchange });
  }

  #write(rest: Mail[]): void {
    const { store } = this;
    if (this.#carrier.isDirty || this.#rows.length > 0 || rest.length > 0) store.begin();
    if (!store.begun) return;
    this.#carrier.write();
    for (const { session, exchange } of this.#rows) store.append(session, exchange);
    const waiting = new Set(rest.map((mail) => this.#family.load(mail.key)?.session));
    for (const mail of rest) store.keepMail(mail, this.#family.load(mail.key)?.session);
    for (const session of this.#carrier.touched())
      if (!waiting.has(session) && !this.#runs(session)) this.#own.release(session);
    this.#options.failpoint?.("commit.inside");
    store.commit();
    this.#options.failpoint?.("commit.after");
  }
  #runs(session: Key): boolean {
    return this.#workers.holds(session) || this.#alarms.holds(session) || this.#carrier.asks(session);
  }

  /** I5. */
  #failed(error: unknown, mails: Iterable<Mail>): void {
    this.store.rollback();
    for (const session of this.#carrier.touched()) {
      this.#own.forget(session);
      this.#alarms.clearSession(session);
    }
    this.#family.forget(() => false);
    this.#carrier.drop();
    this.#rows = [];
    const again = [...mails].filter((mail) => mail.done === undefined && mail.timer === undefined);
    for (const mail of mails) mail.failed?.(error);
    this.#options.onWriteFailed?.(error);
    if (again.length > 0)
      this.#options.clock.after(RETRY_WRITE_MS, () => {
        for (const mail of again) this.#post(mail);
      });
  }
}
