/**
 * The ticks of a host: what one turn of the event loop has brought is handled, written in one transaction, and
 * announced.
 *
 * I1. Nothing leaves before its commit: work starts, followers and callers hear, only after it.
 * I2. A tick that cannot be written leaves nothing behind: what machines did in it is forgotten, callers get the error,
 *     and what came from work (results, rows, text) is tried again, in order.
 * I3. A tick that cannot begin, since another process writes, comes again later: until then readers read, and the event
 *     loop keeps running. How long callers wait for it says `patience.ts`.
 */
import type { Key } from "../../machines/model.ts";
import { type ActorCache, MAX_AT_WORK, MAX_CACHED } from "./actor-cache.ts";
import { type Alarms, dueTimers } from "./alarms.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Executor } from "./executor.ts";
import type { Followers } from "./followers.ts";
import { QUIET } from "./host.ts";
import type { Inspector } from "./inspector.ts";
import type { Letters } from "./letters.ts";
import type { Loss } from "./loss.ts";
import { answer, keepMail, type Mail } from "./mail.ts";
import type { HostOptions } from "./options.ts";
import type { Outbox } from "./outbox.ts";
import type { Ownership } from "./ownership.ts";
import { Patience } from "./patience.ts";
import { MAILS_BESIDE_TEXT, Queue } from "./queue.ts";
import { Rings } from "./rings.ts";
import type { Storage } from "./storage.ts";
import type { TextWriter } from "./text-writer.ts";
import type { Timeouts } from "./timeouts.ts";
import type { Workers } from "./workers.ts";

export const RETRY_WRITE_MS = 1_000;
const STOPPED = "the host is stopped";

export type TickHost = {
  options: HostOptions;
  store: Storage;
  timeouts: Timeouts;
  family: ActorCache;
  own: Ownership;
  alarms: Alarms;
  outbox: Outbox;
  texts: TextWriter;
  workers: Workers;
  inspector: Inspector;
  executor: Executor;
  dispatcher: Dispatcher;
  followers: Followers;
  loss: Loss;
  letters: Letters;
};

export class Ticks {
  readonly #host: TickHost;
  readonly #queue = new Queue();
  readonly #patience: Patience;
  readonly #rings: Rings;
  #scheduled = false;
  #count = 0;
  /** The last tick was undone: what memory says about the store is in doubt. */
  #undone = false;
  #state: "running" | "stopping" | "stopped" = "running";
  constructor(host: TickHost) {
    this.#host = host;
    this.#patience = new Patience(
      host.timeouts,
      () => host.store.foreignCommits(),
      () => this.schedule(),
    );
    this.#rings = new Rings(host.timeouts, () => this.recheck());
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }
  get isStopped(): boolean {
    return this.#state === "stopped";
  }
  post(mail: Mail): void {
    if (this.isStopped) return mail.failed?.(new Error(STOPPED));
    this.#queue.post(mail);
    this.schedule();
  }
  /** A tick, soon. */
  schedule(): void {
    if (this.#scheduled || this.isStopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.isStopped) this.#tick();
    });
  }
  /** The last tick, which gives up what this process owns. Resolves when nothing comes after it. */
  async stop(): Promise<void> {
    this.#state = "stopping";
    this.#tick();
    while (this.#patience.waits && this.#hasToWrite) {
      await this.#patience.over();
      this.#tick();
    }
    this.#state = "stopped";
    for (const mail of this.#queue.undo()) mail.failed?.(new Error(STOPPED));
  }

  /** A process has committed, also this one. */
  hearRing(): void {
    this.#rings.hear();
  }
  /** If another process has written: forgets what it may have changed, and followers of its sessions look again. */
  recheck(): void {
    const { store } = this.#host;
    if (!this.isStopped && !store.begun && store.foreignNews()) this.#hearOthers((act) => act());
  }
  #hearOthers(soon: (act: () => void) => void): void {
    const { own, family, followers, letters, options } = this.#host;
    const isOther = (session: Key): boolean => !own.has(session);
    own.doubt();
    family.forget(isOther);
    followers.recheck(isOther);
    soon(() => {
      letters.look();
      options.onForeign?.();
    });
  }

  get #hasToWrite(): boolean {
    const { executor, outbox, own } = this.#host;
    return !this.#queue.isEmpty || executor.isDirty || !outbox.isEmpty || own.hasAny;
  }

  #tick(): void {
    const { followers, texts, dispatcher, store, outbox } = this.#host;
    let settled: Mail[];
    this.#count++;
    followers.flushLive(); // what was said before this tick waits for nothing that it does
    if (this.#patience.waits) return this.#read();
    try {
      this.#begin();
      const most = texts.isFlowing ? MAILS_BESIDE_TEXT : Number.POSITIVE_INFINITY;
      settled = this.#queue.drain(dispatcher.deliver, most, dispatcher.sessionOf);
      this.#write();
    } catch (error) {
      // Whatever handles mail has begun before.
      if (!store.begun && store.isBusy(error) && this.#patience.wait()) return this.#read();
      return this.#undo(error);
    }
    this.#patience.end();
    this.#settle(settled);
    if (!this.#queue.isEmpty || followers.waiting || !outbox.isEmpty) this.schedule();
  }

  /** Inside the transaction no other process can write: what is read from here on is true until the commit. */
  #begin(): void {
    const { own, store, alarms, options, dispatcher } = this.#host;
    dispatcher.begin();
    const isInDoubt = this.#undone && (this.#state === "running" || own.hasAny); // who stops and owns nothing needs not know
    if (this.#queue.isEmpty && !isInDoubt) return;
    this.#join();
    if (!this.#undone) return;
    own.reload();
    for (const due of dueTimers(store, { owner: options.owner.self })) alarms.restore(due);
    this.#undone = false;
  }
  /** Joins the tick's transaction. What another process has changed is known from then on. */
  #join(): void {
    const { store } = this.#host;
    if (store.begun) return;
    store.begin();
    if (store.foreignChange()) this.#hearOthers(queueMicrotask);
  }

  #write(): void {
    const { store, executor, outbox, own, loss, dispatcher, family, options } = this.#host;
    const isLast = this.#state === "stopping";
    const quiet: Key[] = [];
    if (executor.isDirty || !outbox.isEmpty || (isLast && own.hasAny)) this.#join();
    if (!store.begun) return;
    const { failpoint } = options;
    failpoint?.("commit.before");
    loss.write();
    executor.write();
    outbox.write(store);
    this.#queue.keep((mail) => keepMail(store, mail, dispatcher.sessionOf(mail)), isLast);
    own.releaseIdle((session) => family.hears(session, QUIET) && quiet.push(session) > 0);
    if (isLast) own.giveUp();
    failpoint?.("commit.inside");
    store.commit();
    this.#rings.ours();
    failpoint?.("commit.after");
    for (const key of quiet) this.post({ key, event: QUIET });
  }

  /** After the commit. */
  #settle(settled: readonly Mail[]): void {
    const { outbox, executor, workers, loss, followers, inspector, family, options } = this.#host;
    this.#queue.settle();
    const rows = outbox.send();
    executor.commit();
    workers.commit(); // before anything is shown: what starts does not wait for that
    loss.commit();
    followers.flush();
    answer(settled);
    for (const { session, exchange } of rows) options.onRow?.(session, exchange);
    inspector.tell();
    family.trim(workers.areBusy ? MAX_AT_WORK : MAX_CACHED);
  }

  /** I3: rows that wait to be written stand between what their readers have and what comes next. */
  #read(): void {
    const waiting = new Set(this.#host.outbox.sessions);
    this.#host.followers.flushOf((session) => !waiting.has(session));
  }

  #undo(error: unknown): void {
    const { store, alarms, family, executor, inspector, workers, outbox, timeouts, dispatcher, options } = this.#host;
    const failed = new Set([...this.#queue.sessions(dispatcher.sessionOf), ...outbox.sessions]);
    store.rollback();
    this.#undone = true;
    alarms.reset();
    family.forget(() => true);
    for (const part of [executor, inspector, workers, outbox]) part.undo();
    for (const mail of this.#queue.undo()) mail.failed?.(error);
    options.onWriteFailed?.(error, failed);
    timeouts.after(RETRY_WRITE_MS, () => this.schedule());
  }
}
