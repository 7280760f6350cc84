/**
 * The embedded host: keyed machines on SQLite, no server. One tick of the event loop is one transaction.
 *
 * I1. One event at a time per key, in order of arrival.
 * I2. Nothing leaves before its commit: work starts, followers and callers hear, only after it.
 * I3. A text is committed no later than its work's result, in the same transaction and before it.
 * I4. Work that ran when its process died is reported as INTERRUPTED to its machine, once, by whoever takes over.
 * I5. A tick that cannot be written leaves nothing behind: what machines did in it is forgotten, callers are told, and
 *     what came from work (results, rows, text) is tried again, in order.
 */
import type { AnyStateMachine, EventObject } from "xstate";
import type { Cursor, Exchange, Frame, Row } from "../../machines/exchange.ts";
import type { Key, Kind } from "../../machines/model.ts";
import { NO_MASKING } from "../masking/masking.ts";
import { Alarms } from "./alarms.ts";
import { Carrier } from "./carrier.ts";
import { Family } from "./family.ts";
import { Followers } from "./followers.ts";
import { type Delivery, type Follower, type Host, QUIET, type Snap, type Work } from "./host.ts";
import { Inspector } from "./inspector.ts";
import { answer, type Mail } from "./mail.ts";
import type { HostOptions } from "./options.ts";
import { type By, Outbox } from "./outbox.ts";
import { Ownership } from "./ownership.ts";
import { Postman } from "./postman.ts";
import { MAILS_BESIDE_TEXT, Queue } from "./queue.ts";
import { type Removal, remove } from "./removal.ts";
import { Store } from "./store.ts";
import { Texts } from "./texts.ts";
import { Timeouts } from "./timeouts.ts";
import { Workers } from "./workers.ts";

export const RETRY_WRITE_MS = 1_000;

export class EmbeddedHost implements Host {
  readonly store: Store;
  readonly #options: HostOptions;
  readonly #timeouts: Timeouts;
  readonly #family: Family;
  readonly #own: Ownership;
  readonly #alarms: Alarms;
  readonly #outbox: Outbox;
  readonly #texts: Texts;
  readonly #workers: Workers;
  readonly #inspector: Inspector;
  readonly #carrier: Carrier;
  readonly #postman: Postman;
  readonly #followers: Followers;
  readonly #queue = new Queue();
  #scheduled = false;
  #ticks = 0;
  /** The last tick was undone: what memory says about the store is in doubt. */
  #undone = false;
  #stopping: Promise<void> | undefined;
  #stopped = false;

  constructor(options: HostOptions) {
    this.#options = options;
    const mask = options.mask ?? NO_MASKING;
    this.#timeouts = new Timeouts(options.clock);
    this.store = new Store(options.file, options.durability, options.mask);
    this.#family = new Family(this.store);
    this.#own = new Ownership(this.store, options.owner);
    this.#alarms = new Alarms(this.#timeouts, (due) => this.#post({ key: due.key, event: due.event, timer: due }));
    this.#outbox = new Outbox(this.#family, (session, frame) => this.#followers.offer(session, frame));
    this.#texts = new Texts({
      show: (session, live) => this.#outbox.show(session, live),
      watched: (session) => this.#followers.isWatched(session),
      head: (session) => this.#family.head(session),
      append: (session, row) => this.#append(session, row, "work"),
      mask: () => mask.stream(),
      schedule: () => this.#schedule(),
      later: (ms, act) => void this.#timeouts.after(ms, act),
      tick: () => this.#ticks,
    });
    this.#followers = new Followers({
      page: (key, after, size) => this.store.page(key, after, size),
      uncommitted: (key) => this.#texts.uncommitted(key),
      isAtHead: (key, seq) => this.#outbox.isEmpty && this.head(key) <= seq,
      failed: (error) => options.onFollowerFailed?.(error),
      schedule: () => this.#schedule(),
    });
    this.#workers = new Workers({
      texts: this.#texts,
      record: (session, row) => {
        this.#append(session, mask.row(row), "work");
        this.#schedule();
      },
      post: (mail) => this.#post(mail),
      tell: async (key, event) => void (await this.send(key, event)),
      failpoint: (name) => options.failpoint?.(name),
    });
    this.#inspector = new Inspector(options.inspect);
    const parts = {
      store: this.store,
      family: this.#family,
      alarms: this.#alarms,
      now: () => options.clock.now(),
      post: (mail: Mail) => this.#post(mail),
    };
    this.#carrier = new Carrier({
      ...parts,
      own: this.#own,
      workers: this.#workers,
      inspector: this.#inspector,
      id: options.id,
      append: (session, row) => this.#append(session, mask.row(row), "machine"),
    });
    const onTakeOver = (): void => options.onTakeOver?.();
    this.#postman = new Postman({ ...parts, own: this.#own, carrier: this.#carrier, onTakeOver });
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
    this.recheck();
    return this.#family.read(key);
  }
  head(session: Key): number {
    this.recheck();
    return this.#family.head(session);
  }
  rows(session: Key, after: number, limit: number): Exchange[] {
    return this.store.rows(session, after, limit);
  }
  follow(session: Key, after: Cursor, push: (frames: readonly Frame[]) => void, sent?: () => void): Follower {
    return this.#followers.add(session, after.seq, push, sent);
  }
  remove(session: Key): Removal {
    return remove(session, { ...this.#options, store: this.store, family: this.#family });
  }
  /** If another process has written: forgets what it may have changed, and followers of its sessions look again. */
  recheck(): void {
    if (!this.#stopped && !this.store.begun && this.store.foreignNews()) this.#hearOthers((act) => act());
  }

  /** Aborts what runs and gives up its sessions. Resolves when the store is closed; idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }
  async #end(): Promise<void> {
    await new Promise(setImmediate); // never within a tick
    this.#workers.stop();
    this.#texts.flushAll();
    this.#tick();
    this.#stopped = true;
    this.#timeouts.stop();
    for (const mail of this.#queue.undo()) mail.failed?.(new Error("the host is stopped"));
    this.store.close();
  }

  #post(mail: Mail): void {
    if (this.#stopped) return mail.failed?.(new Error("the host is stopped"));
    this.#queue.post(mail);
    this.#schedule();
  }
  #append = (session: Key, row: Row, by: By) => this.#outbox.append(session, row, by, this.#options.clock.now());
  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#stopped) this.#tick();
    });
  }
  #hearOthers(soon: (act: () => void) => void): void {
    const isOther = (session: Key): boolean => !this.#own.has(session);
    this.#family.forget(isOther);
    this.#followers.recheck(isOther);
    soon(() => this.#options.onForeign?.());
  }
  #tick(): void {
    let settled: Mail[];
    this.#ticks++;
    this.#followers.flushLive(); // what was said before this tick waits for nothing that it does
    try {
      this.#begin();
      const most = this.#texts.isFlowing ? MAILS_BESIDE_TEXT : Number.POSITIVE_INFINITY;
      const { sessionOf, deliver } = this.#postman;
      settled = this.#queue.drain(deliver, most, sessionOf);
      this.#write();
    } catch (error) {
      return this.#undo(error);
    }
    this.#queue.settle();
    const rows = this.#outbox.send();
    this.#carrier.commit();
    this.#workers.commit(); // before anybody is shown anything: what starts needs not wait for that
    this.#followers.flush();
    answer(settled);
    for (const { session, exchange } of rows) this.#options.onRow?.(session, exchange);
    this.#inspector.tell();
    this.#family.trim();
    if (!this.#queue.isEmpty || this.#followers.waiting || !this.#outbox.isEmpty) this.#schedule();
  }

  /** Inside the transaction nobody else can write: what is read from here on is true until the commit. */
  #begin(): void {
    this.#postman.begin();
    if (this.#queue.isEmpty && !this.#undone) return;
    this.store.begin();
    if (this.store.foreignChange()) this.#hearOthers(queueMicrotask);
    if (!this.#undone) return;
    this.#own.reload();
    for (const due of this.store.timers({ owner: this.#options.owner.self })) this.#alarms.set(due);
    this.#undone = false;
  }

  #write(): void {
    const { store } = this;
    const quiet: Key[] = [];
    if (this.#carrier.isDirty || !this.#outbox.isEmpty || this.#stopping !== undefined) store.begin();
    if (!store.begun) return;
    const { failpoint } = this.#options;
    failpoint?.("commit.before");
    this.#carrier.write();
    this.#outbox.write(store);
    this.#queue.keep((mail) => store.keepMail(mail, this.#postman.sessionOf(mail)), this.#stopping !== undefined);
    this.#own.releaseIdle((session) => this.#family.hears(session, QUIET) && quiet.push(session) > 0);
    if (this.#stopping !== undefined) this.#own.giveUp();
    failpoint?.("commit.inside");
    store.commit();
    failpoint?.("commit.after");
    for (const key of quiet) this.#post({ key, event: QUIET });
  }
  #undo(error: unknown): void {
    const failed = new Set([...this.#queue.sessions(this.#postman.sessionOf), ...this.#outbox.sessions]);
    this.store.rollback();
    this.#undone = true;
    this.#alarms.reset();
    this.#family.forget(() => true);
    for (const part of [this.#carrier, this.#inspector, this.#workers, this.#outbox]) part.undo();
    for (const mail of this.#queue.undo()) mail.failed?.(error);
    this.#options.onWriteFailed?.(error, failed);
    this.#timeouts.after(RETRY_WRITE_MS, () => this.#schedule());
  }
}
