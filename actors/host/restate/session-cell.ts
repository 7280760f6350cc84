/**
 * One session as a worker has it in memory while it takes events: its rows in tables, its machines over them.
 *
 * I1. One event from outside, and all that it causes, is one commit. What it comes to is data: the engine writes it.
 * I2. A result, a row or a timer counts only while its start, or its time, is the one that is waited for.
 * I3. What a machine says to running work is kept with the session until that work has ended.
 * I4. A session of which something runs is the engine's; where nothing does, it has no owner, and hears that once.
 * I5. Work that waits for a worker ends by itself when it is cancelled.
 */

import type { AnyStateMachine, EventObject } from "xstate";
import type { Row } from "../../../machines/exchange.ts";
import type { Key, Kind } from "../../../machines/model.ts";
import { randomWord } from "../../base/random.ts";
import type { Mask } from "../../masking/masking.ts";
import { ActorCache, kindOf, MAX_CACHED } from "../actor-cache.ts";
import { Executor } from "../executor.ts";
import { type Delivery, INTERRUPTED, QUIET } from "../host.ts";
import type { Mail } from "../mail.ts";
import { MemoryStorage } from "../memory/memory-storage.ts";
import { Tables } from "../memory/tables.ts";
import { Outbox } from "../outbox.ts";
import type { Storage } from "../storage.ts";
import { failure, type Start, type Which } from "../workers.ts";
import { CellTimers } from "./cell-timers.ts";
import { KeptBeside } from "./kept-beside.ts";
import { withHead } from "./kept-head.ts";
import { waitsNotice } from "./kept-waits.ts";
import { Listing } from "./listing.ts";
import { unchanged } from "./outcomes.ts";
import { ENGINE, type NamedRow, type Outcome, type Post, type Version } from "./protocol.ts";
import { ChangedRows, putRows, workName } from "./rows.ts";
import { versionOf } from "./versions.ts";

export type CellHost = {
  session: Key;
  mask: Mask;
  machines: ReadonlyMap<Kind, AnyStateMachine>;
  now(): number;
  id(kind: Kind): string;
};
const NOTHING: Version = { n: 0, stamp: "", seq: 0, at: 0 };
/** What a step hears whose work was cut off: its own policy says what is done. */
const RESUME = { type: "resume.requested", recover: "ask" } as EventObject;

export class SessionCell {
  readonly #host: CellHost;
  readonly #tables: Tables;
  readonly #changed: ChangedRows;
  readonly #store: Storage;
  readonly #family: ActorCache;
  readonly #outbox: Outbox;
  readonly #executor: Executor;
  readonly #timers: CellTimers;
  readonly #listing: Listing;
  readonly #kept: KeptBeside;
  #version: Version;
  #mail: Mail[] = [];
  #starts = new Map<string, Start>();

  constructor(host: CellHost, version: Version | null, rows: readonly NamedRow[]) {
    this.#host = host;
    this.#version = version ?? NOTHING;
    this.#changed = new ChangedRows(rows.map(([name]) => name));
    let isLoading = true;
    this.#tables = new Tables((table, key) => {
      if (!isLoading) this.#changed.note(table, key);
    });
    putRows(this.#tables, host.session, rows);
    isLoading = false;
    this.#kept = new KeptBeside(rows);
    this.#timers = new CellTimers(this.#tables, host.session);
    this.#listing = new Listing(rows);
    this.#store = withHead(new MemoryStorage(host.mask, this.#tables), () => this.#version);
    this.#family = new ActorCache(this.#store);
    for (const [kind, machine] of host.machines) this.#family.define(kind, machine);
    this.#outbox = new Outbox(this.#family, () => undefined);
    this.#executor = this.#executing();
  }

  get version(): Version {
    return this.#version;
  }

  /** Throws what no machine has thrown: the cell is of no use any more. */
  take(post: Post): Outcome {
    const { session } = this.#host;
    const isThere = this.#tables.sessions.has(session);
    if (!isThere && post.is !== "birth") return this.#unchanged({ accepted: false, reason: "unknown" });
    if (isThere && post.is === "birth") return this.#unchanged(null, `there is a "${session}" already`);
    this.#store.begin();
    this.#hold();
    const delivery = this.#deliver(post);
    this.#drain();
    this.#write();
    if (!this.#store.sessions.runs(session) && this.#family.hears(session, QUIET)) {
      this.#executor.commit();
      this.#post({ key: session, event: QUIET });
      this.#drain();
      this.#write();
    }
    this.#release();
    this.#store.commit();
    this.#executor.commit();
    this.#family.trim(MAX_CACHED);
    return this.#outcome(delivery);
  }

  #deliver(post: Post): Delivery | null {
    const { session, mask } = this.#host;
    switch (post.is) {
      case "birth": {
        const input = mask.reveal(post.input) as { cwd: string; principal: string };
        this.#store.sessions.open(session, ENGINE, input.cwd, input.principal, this.#host.now());
        this.#kept.tag.set(post.tag);
        this.#executor.birth({ key: session, session, parent: null, childId: "", nonce: 0 }, input);
        return null;
      }
      case "mail": {
        const { key, dedupe } = post;
        const event = mask.reveal(post.event) as EventObject;
        // `done`: somebody waits for the answer, so an event that no transition takes is refused.
        return this.#executor.deliver({
          key,
          event,
          done: () => undefined,
          ...(dedupe === undefined ? {} : { dedupe }),
        });
      }
      case "due": {
        const due = this.#tables.read(session).timers.get(`${post.key} ${post.id}`);
        if (due?.due !== post.due) return null; // I2
        const event = mask.reveal(due.event) as EventObject;
        return this.#executor.deliver({ key: post.key, event, timer: { ...post, at: post.due, event } });
      }
      case "work":
        return this.#fromWork(post);
      case "waits":
        return this.#wait(post);
      default:
        return post satisfies never;
    }
  }

  #fromWork({ which, rows, event, wasCutOff, live }: Extract<Post, { is: "work" }>): Delivery | null {
    const { session, mask } = this.#host;
    const { key, nonce } = which;
    if (!this.#isAwaited(which)) return null; // I2
    if (live !== undefined) this.#kept.offers.add(live);
    for (const { row, at } of rows) this.#outbox.append(session, JSON.parse(row) as Row, "work", at);
    if (event === null) return null;
    const delivery = this.#executor.deliver({ key, event: mask.reveal(event) as EventObject, nonce });
    if (wasCutOff === true) this.#post({ key, event: RESUME });
    return delivery;
  }

  #isAwaited({ key, id, nonce }: Which): boolean {
    return this.#tables.read(this.#host.session).works.get(`${key} ${id}`)?.nonce === nonce;
  }
  #wait({ which, words }: Extract<Post, { is: "waits" }>): null {
    const { session, now } = this.#host;
    if (!this.#isAwaited(which) || !this.#kept.waits.add(which)) return null;
    this.#outbox.append(session, waitsNotice(this.#tables, { session, key: which.key, words }), "machine", now());
    return null;
  }

  #post(mail: Mail): void {
    this.#mail.push(mail);
  }
  #drain(): void {
    for (let mail = this.#mail.shift(); mail !== undefined; mail = this.#mail.shift()) this.#executor.deliver(mail);
  }
  #write(): void {
    this.#executor.write();
    this.#outbox.write(this.#store);
    this.#outbox.send();
  }

  /** I4. */
  #hold(): void {
    const { sessions } = this.#store;
    const { session } = this.#host;
    if (sessions.find(session)?.owner === null) sessions.take(session, ENGINE, null);
  }
  #release(): void {
    const { sessions } = this.#store;
    const { session } = this.#host;
    const row = sessions.find(session);
    if (row === undefined || sessions.runs(session)) return;
    this.#kept.offers.clear();
    sessions.leave(session, row.epoch, null);
  }

  #outcome(delivery: Delivery | null): Outcome {
    const { session, mask } = this.#host;
    const n = this.#version.n + 1;
    const all = this.#tables.of(session).log.all;
    const changed = [...this.#changed.take(this.#tables, session), ...this.#kept.take(this.#changed)];
    const listed = this.#listing.take(
      { store: this.#store, tables: this.#tables, session },
      { n, rows: changed, log: all },
    );
    const log = all.splice(0);
    const { seq, at } = log.at(-1) ?? this.#version;
    this.#version = { n, stamp: randomWord(9, "base64url"), seq, at };
    const starts = [...this.#starts.values()].map((start) => {
      const v = versionOf(this.#family.machineOf(kindOf(start.key)));
      return { ...start, input: mask.hide(start.input), n, v, ...this.#kept.tag.asked };
    });
    const timers = this.#timers.left();
    const rows = [...changed, ...listed.rows.flatMap(([name, row]) => this.#changed.own(name, row))];
    this.#starts.clear();
    const reply = { delivery, fault: null };
    return { ...unchanged(this.#version, reply), rows, log, starts, timers, notes: listed.notes };
  }
  #unchanged(delivery: Delivery | null, fault: string | null = null): Outcome {
    return unchanged(this.#version, { delivery, fault });
  }

  #executing(): Executor {
    const { mask, now, id } = this.#host;
    return new Executor({
      store: this.#store,
      family: this.#family,
      now,
      id,
      own: { works: () => undefined },
      inspector: { note: () => undefined },
      post: (mail) => this.#post(mail),
      append: (of, row) => this.#outbox.append(of, mask.row(row), "machine", now()),
      alarms: this.#timers,
      workers: {
        start: (start) => void this.#starts.set(workName(start), start),
        end: (which) => {
          this.#starts.delete(workName(which));
          this.#kept.orders.end(which);
          this.#kept.waits.end(which);
        },
        cancel: (which) => {
          this.#kept.orders.add(which, { do: "cancel" });
          // Nobody would report its end: no worker has it (I5).
          const { key, id, nonce } = which;
          if (this.#kept.waits.has(which)) this.#post({ key, event: failure(id, INTERRUPTED), nonce });
        },
        hear: (which, event) => this.#kept.orders.add(which, { do: "hear", event: mask.hide(event) }),
      },
    });
  }
}
