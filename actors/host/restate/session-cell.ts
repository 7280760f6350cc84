/**
 * One session as a worker has it in memory while it takes events: its rows in tables, its machines over them.
 *
 * I1. One event from outside, and all that it causes, is one commit. What it comes to is data: the engine writes it.
 * I2. A result, a row or a timer counts only while its start, or its time, is the one that is waited for.
 * I3. What a machine says to running work is kept with the session until that work has ended.
 * I4. A session of which something runs is the engine's; where nothing does, it has no owner, and hears that once.
 */
import { randomBytes } from "node:crypto";
import type { AnyStateMachine, EventObject } from "xstate";
import type { Row } from "../../../machines/exchange.ts";
import type { Key, Kind } from "../../../machines/model.ts";
import type { Mask } from "../../masking/masking.ts";
import { ActorCache } from "../actor-cache.ts";
import { Executor } from "../executor.ts";
import { type Delivery, QUIET } from "../host.ts";
import type { Mail } from "../mail.ts";
import { MemoryStorage } from "../memory/memory-storage.ts";
import { Tables } from "../memory/tables.ts";
import { Outbox } from "../outbox.ts";
import type { Storage } from "../storage.ts";
import type { Start, Which } from "../workers.ts";
import { withHead } from "./kept-head.ts";
import {
  ENGINE,
  type NamedRow,
  type Outcome,
  type Post,
  type TimerSet,
  type Version,
  type WorkOrder,
} from "./protocol.ts";
import { ChangedRows, putRows, workName } from "./rows.ts";

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
  readonly #orders = new Map<string, WorkOrder[]>();
  #version: Version;
  #mail: Mail[] = [];
  #starts = new Map<string, Start>();
  #timers = new Map<string, TimerSet>();
  /** The names of work whose orders have changed. */
  #ordered = new Set<string>();

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
    for (const [name, row] of rows)
      if (name.startsWith("orders ") && row !== null) this.#orders.set(name.slice(7), JSON.parse(row) as WorkOrder[]);
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
    this.#family.trim();
    return this.#outcome(delivery);
  }

  #deliver(post: Post): Delivery | null {
    const { session, mask } = this.#host;
    switch (post.is) {
      case "birth": {
        const input = mask.reveal(post.input) as { cwd: string; principal: string };
        this.#store.sessions.open(session, ENGINE, input.cwd, input.principal, this.#host.now());
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
      default:
        return post satisfies never;
    }
  }

  #fromWork({ which, rows, event, wasCutOff }: Extract<Post, { is: "work" }>): Delivery | null {
    const { session, mask } = this.#host;
    const { key, id, nonce } = which;
    if (this.#tables.read(session).works.get(`${key} ${id}`)?.nonce !== nonce) return null; // I2
    for (const { row, at } of rows) this.#outbox.append(session, JSON.parse(row) as Row, "work", at);
    if (event === null) return null;
    const result = mask.reveal(event) as EventObject;
    const delivery = this.#executor.deliver({ key, event: result, nonce });
    if (wasCutOff === true) this.#post({ key, event: RESUME });
    return delivery;
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
    if (row !== undefined && !sessions.runs(session)) sessions.leave(session, row.epoch, null);
  }

  #outcome(delivery: Delivery | null): Outcome {
    const { session, mask } = this.#host;
    const n = this.#version.n + 1;
    const all = this.#tables.of(session).log.all;
    const log = all.splice(0);
    const { seq, at } = log.at(-1) ?? this.#version;
    this.#version = { n, stamp: randomBytes(9).toString("base64url"), seq, at };
    const starts = [...this.#starts.values()].map(({ input, ...start }) => ({ ...start, input: mask.hide(input), n }));
    const timers = [...this.#timers.values()];
    const rows = [...this.#changed.take(this.#tables, session), ...this.#ordersOf()];
    this.#starts.clear();
    this.#timers.clear();
    return { n, version: this.#version, reply: { delivery, fault: null }, rows, log, starts, timers };
  }
  #unchanged(delivery: Delivery | null, fault: string | null = null): Outcome {
    const { n } = this.#version;
    return { n, version: this.#version, reply: { delivery, fault }, rows: [], log: [], starts: [], timers: [] };
  }

  #ordersOf(): NamedRow[] {
    const rows = [...this.#ordered].flatMap((name) => {
      const orders = this.#orders.get(name);
      return this.#changed.own(`orders ${name}`, orders === undefined ? null : JSON.stringify(orders));
    });
    this.#ordered.clear();
    return rows;
  }
  #order(which: Which, order: WorkOrder): void {
    const name = workName(which);
    this.#orders.set(name, [...(this.#orders.get(name) ?? []), order]);
    this.#ordered.add(name);
  }

  #executing(): Executor {
    const { session, mask, now, id } = this.#host;
    return new Executor({
      store: this.#store,
      family: this.#family,
      now,
      id,
      own: { works: () => undefined },
      inspector: { note: () => undefined },
      post: (mail) => this.#post(mail),
      append: (of, row) => this.#outbox.append(of, mask.row(row), "machine", now()),
      alarms: {
        set: ({ key, id: timer, at: due }, delayMs) =>
          void this.#timers.set(`${key} ${timer}`, { key, id: timer, due, delayMs }),
        clear: (key, timer) => {
          const name = `${key} ${timer}`;
          return this.#timers.delete(name) || this.#tables.read(session).timers.has(name);
        },
        clearKey: (key) => {
          for (const [name, timer] of this.#timers) if (timer.key === key) this.#timers.delete(name);
          return true;
        },
        take: ({ key, id: timer }) => this.#tables.read(session).timers.has(`${key} ${timer}`),
      },
      workers: {
        start: (start) => void this.#starts.set(workName(start), start),
        end: (which) => {
          const name = workName(which);
          this.#starts.delete(name);
          if (this.#orders.delete(name)) this.#ordered.add(name);
        },
        cancel: (which) => this.#order(which, { do: "cancel" }),
        hear: (which, event) => this.#order(which, { do: "hear", event: mask.hide(event) }),
      },
    });
  }
}
