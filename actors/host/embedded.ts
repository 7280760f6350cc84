/**
 * The embedded host: keyed machines over a storage (`storage.ts`), no server. A tick is one transaction (`ticks.ts`).
 *
 * I1. One event at a time per key, in order of arrival.
 * I2. A text is committed no later than its work's result, in the same transaction and before it.
 * I3. Work that ran when its process died is reported as INTERRUPTED to its machine, once, by the next owner.
 * I4. Nothing is written to a session that another process has taken, save one row that says that this one gave it up.
 */
import type { AnyStateMachine, EventObject } from "xstate";
import type { Cursor, Exchange, Frame, Row } from "../../machines/exchange.ts";
import type { Key, Kind } from "../../machines/model.ts";
import { ActorCache } from "./actor-cache.ts";
import { Alarms } from "./alarms.ts";
import { keptAttachments, keptConsents, keptConversations, trustedFolders } from "./beside.ts";
import { collecting } from "./collecting.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Executor } from "./executor.ts";
import { Followers, type Hearing } from "./followers.ts";
import type { Delivery, Follower, Host, Removal, Snap, Work } from "./host.ts";
import { Inspector } from "./inspector.ts";
import { keptSchedules } from "./kept-schedules.ts";
import { Letters } from "./letters.ts";
import { Loss } from "./loss.ts";
import type { Mail } from "./mail.ts";
import type { HostOptions } from "./options.ts";
import { type By, Outbox } from "./outbox.ts";
import { Ownership } from "./ownership.ts";
import { PatientWrites } from "./patience.ts";
import { questionReads } from "./question-reads.ts";
import type { OutlineRead } from "./reads.ts";
import { remove } from "./removal.ts";
import { runReads } from "./run-reads.ts";
import { sessionReads } from "./session-reads.ts";
import type { Storage } from "./storage.ts";
import { TextWriter } from "./text-writer.ts";
import { Ticks } from "./ticks.ts";
import { Timeouts } from "./timeouts.ts";
import { Workers } from "./workers.ts";

/** How many rows are read at once, going backwards: most look for the latest of a kind, and find it in the first page. */
const PAGE_BACK = { first: 8, most: 128, grows: 4 };

export class EmbeddedHost implements Host {
  readonly store: Storage;
  readonly sessions: Host["sessions"];
  readonly runs: Host["runs"];
  readonly questions: Host["questions"];
  readonly trust: Host["trust"];
  readonly consents: Host["consents"];
  readonly schedules: Host["schedules"];
  readonly collecting: Host["collecting"];
  readonly attachments: Host["attachments"];
  readonly conversations: Host["conversations"];
  readonly #options: HostOptions;
  readonly #timeouts: Timeouts;
  readonly #family: ActorCache;
  readonly #own: Ownership;
  readonly #alarms: Alarms;
  readonly #outbox: Outbox;
  readonly #texts: TextWriter;
  readonly #workers: Workers;
  readonly #followers: Followers;
  readonly #writes: PatientWrites;
  readonly #letters: Letters;
  readonly #ticks: Ticks;
  #stopping: Promise<void> | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    const { storage, owner } = options;
    const { mask } = storage;
    this.store = storage;
    this.#timeouts = new Timeouts(options.clock);
    this.#family = new ActorCache(storage);
    this.#own = new Ownership(storage, options.owner);
    this.#alarms = new Alarms(this.#timeouts, (due) =>
      this.#ticks.post({ key: due.key, event: due.event, timer: due }),
    );
    this.#outbox = new Outbox(this.#family, (session, frame) => this.#followers.offer(session, frame));
    this.#texts = new TextWriter({
      show: (session, live) => this.#outbox.show(session, live),
      watched: (session) => this.#followers.isWatched(session),
      head: (session) => this.#family.head(session),
      append: (session, row) => this.#append(session, row, "work"),
      mask: () => mask.stream(),
      schedule: () => this.#ticks.schedule(),
      later: (ms, act) => void this.#timeouts.after(ms, act),
      tick: () => this.#ticks.count,
    });
    this.#followers = new Followers({
      page: (key, after, size) => storage.log.page(key, after, size),
      uncommitted: (key) => options.said?.(key) ?? this.#texts.uncommitted(key),
      isAtHead: (key, seq) => this.#outbox.isEmpty && this.head(key) <= seq,
      failed: (error) => options.onFollowerFailed?.(error),
      schedule: () => this.#ticks.schedule(),
    });
    this.#workers = new Workers({
      texts: this.#texts,
      record: (session, row) => {
        this.#append(session, mask.row(row), "work");
        this.#ticks.schedule();
      },
      post: (mail) => this.#ticks.post(mail),
      tell: async (key, event) => void (await this.send(key, event)),
      failpoint: (name) => options.failpoint?.(name),
    });
    const machineOf = (kind: Kind) => this.#family.machineOf(kind);
    const inspector = new Inspector({ inspect: options.inspect, now: () => options.clock.now(), machineOf, mask });
    const parts = {
      options,
      store: storage,
      timeouts: this.#timeouts,
      family: this.#family,
      own: this.#own,
      alarms: this.#alarms,
      outbox: this.#outbox,
      texts: this.#texts,
      workers: this.#workers,
      followers: this.#followers,
      inspector,
      now: () => options.clock.now(),
      post: (mail: Mail) => this.#ticks.post(mail),
    };
    const executor = new Executor({
      ...parts,
      id: options.id,
      append: (session, row) => this.#append(session, mask.row(row), "machine"),
    });
    const dispatcher = new Dispatcher({ ...parts, executor, onTakeOver: () => options.onTakeOver?.() });
    const loss = new Loss({
      ...parts,
      append: (session, row) => this.#append(session, row, "machine"),
      recheck: (session) => this.#followers.recheck((of) => of === session),
      told: (session) => {
        options.owner.onLeave?.(session);
        options.onLost?.(session);
      },
    });
    this.#writes = new PatientWrites(this.#timeouts, storage);
    const patiently = this.#writes.write;
    this.#letters = new Letters({ ...parts, send: (key, event) => this.send(key, event), patiently });
    this.#ticks = new Ticks({ ...parts, executor, dispatcher, loss, letters: this.#letters });
    const load = (key: Key) => this.#family.load(key);
    const described = (roots: readonly Key[]) => inspector.described(roots, load);
    this.sessions = sessionReads({ storage, owner, read: (key) => this.read(key), described });
    this.runs = runReads({ storage, owner, load, patiently });
    this.questions = questionReads(storage);
    this.attachments = keptAttachments(storage.attachments, patiently);
    this.conversations = keptConversations(storage.conversations, patiently);
    this.trust = trustedFolders(storage, patiently);
    this.consents = keptConsents(storage, patiently);
    this.schedules = keptSchedules({ ...options, patiently });
    this.collecting = collecting({ ...options, store: storage, family: this.#family, patiently });
  }

  machine(kind: Kind, machine: AnyStateMachine): void {
    this.#family.define(kind, machine);
  }
  work(src: string, work: Work): void {
    this.#workers.define(src, work);
  }
  create(key: Key, input: object): Promise<void> {
    return new Promise((done, failed) =>
      this.#ticks.post({ key, event: { type: "host.create" }, input, done: () => done(), failed }),
    );
  }
  send(key: Key, event: EventObject, options: { dedupe?: string } = {}): Promise<Delivery> {
    return new Promise((done, failed) => this.#ticks.post({ key, event, done, failed, ...options }));
  }
  write(key: Key, event: EventObject, listen = () => this.listen()): Promise<Delivery> {
    return this.#letters.write(key, event, listen);
  }
  listen(): () => void {
    return this.store.listen(() => this.#ticks.hearRing());
  }
  takeIn(): void {
    if (!this.#ticks.isStopped) this.#letters.takeIn();
  }
  /** What is kept of an actor, secrets as this process knows them. */
  read(key: Key): Snap | undefined {
    if (!this.#own.has(key)) this.recheck(); // no other process changes a session that is ours
    return this.#family.read(key);
  }
  head(session: Key): number {
    if (!this.#own.has(session)) this.recheck();
    return this.#family.head(session);
  }
  rows(session: Key, after: number, limit: number): Exchange[] {
    return this.store.log.rows(session, after, limit);
  }
  readonly outline: OutlineRead = (...asked) => this.store.log.outline(...asked);
  follow(session: Key, after: Cursor, ...hearing: Hearing): Follower {
    return this.#followers.add(session, after.seq, ...hearing);
  }
  /** What others have said or committed: to those who follow it here, and keep up. */
  readonly show = (session: Key, frame: Frame): void => this.#followers.offer(session, frame);
  *backwards(
    session: Key,
    { before = Number.MAX_SAFE_INTEGER, types }: Parameters<Host["backwards"]>[1] = {},
  ): Generator<Exchange> {
    for (let end = before, size = PAGE_BACK.first; ; size = Math.min(size * PAGE_BACK.grows, PAGE_BACK.most)) {
      const page = this.store.log.before(session, end, size, types ?? null);
      yield* page;
      if (page.length < size) return;
      end = page.at(-1)?.seq ?? 0;
    }
  }
  remove(session: Key): Promise<Removal> {
    return this.#writes.write(() => remove(session, { ...this.#options, store: this.store, family: this.#family }));
  }
  /** If another process has written: forgets what it may have changed, and followers of its sessions look again. */
  recheck(): void {
    this.#ticks.recheck();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }
  async #end(): Promise<void> {
    await new Promise(setImmediate); // never within a tick
    await this.#letters.stop();
    this.#workers.stop();
    this.#texts.flushAll();
    await this.#ticks.stop();
    await this.#letters.stop(); // of what was begun since
    await this.#writes.over();
    this.#timeouts.stop();
    this.store.close();
    this.#options.owner.end?.();
  }

  #append = (session: Key, row: Row, by: By) => this.#outbox.append(session, row, by, this.#options.clock.now());
}
