/**
 * The host over an engine (Restate): the same port, with sessions that live in the engine, workers that take their events,
 * and in each process a replica that is read.
 *
 * I1. What is sent is durable when its answer comes, and can be read here then.
 * I2. No process owns a session. One is this process's own, in what it tells those above it, from a prompt that it
 *     has sent, or a removal that has to wait, until nothing of the session runs, or it is gone.
 * I3. Trust, consents and the like are of this machine: they are kept where they always were.
 */
import { existsSync } from "node:fs";
import type { AnyStateMachine, EventObject } from "xstate";
import type { Cursor, Exchange, Row } from "../../../machines/exchange.ts";
import type { Key, Kind } from "../../../machines/model.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { EmbeddedHost } from "../embedded.ts";
import type { Hearing } from "../followers.ts";
import type { Delivery, Follower, Host, Removal, Snap, Work } from "../host.ts";
import { MemoryStorage } from "../memory/memory-storage.ts";
import { type LogRow, Tables } from "../memory/tables.ts";
import type { KeptConversations, OutlineRead, SessionReads } from "../reads.ts";
import { Timeouts } from "../timeouts.ts";
import { EngineAttachments } from "./engine-attachments.ts";
import { EngineClock } from "./engine-clock.ts";
import type { EngineOptions } from "./engine-options.ts";
import { IndexReads } from "./index-reads.ts";
import { Ingress } from "./ingress.ts";
import type { LiveIn } from "./live-in.ts";
import { liveSide } from "./live-side.ts";
import { ENGINE, type NamedRow, type Post, type Posted, servicesOf } from "./protocol.ts";
import { Replica } from "./replica.ts";
import type { ServingHost } from "./serving-host.ts";
import { SessionCell } from "./session-cell.ts";
import { unknownIn, unknownStart } from "./versions.ts";
import { WorkSide } from "./work-side.ts";

export class EngineHost implements Host {
  readonly sessions: SessionReads;
  readonly runs: Host["runs"];
  readonly questions: Host["questions"];
  readonly trust: Host["trust"];
  readonly consents: Host["consents"];
  readonly schedules: Host["schedules"];
  readonly attachments: EngineAttachments;
  readonly conversations: KeptConversations;
  readonly collecting: Host["collecting"];
  readonly outline: OutlineRead;
  readonly #options: EngineOptions;
  readonly #ingress: Ingress;
  readonly #time = new EngineClock();
  readonly #index: IndexReads;
  readonly #replica: Replica;
  /** It reads, and nothing is ever sent to it. */
  readonly #reader: EmbeddedHost;
  readonly #workSide: WorkSide;
  readonly #live: LiveIn;
  readonly #machines = new Map<Kind, AnyStateMachine>();
  readonly #works = new Map<string, Work>();
  readonly #timeouts: Timeouts;
  /** I2. */
  readonly #own = new Set<Key>();
  readonly #posting = new Set<Promise<Posted>>();
  #stopping: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { url, name, self, mask, clock, beside, environment, fetch: call, hasFolder = existsSync } = options;
    const tables = new Tables();
    const services = servicesOf(name);
    this.#timeouts = new Timeouts(clock);
    this.#ingress = new Ingress(url, services, clock, this.#time.hearing(call ?? fetch));
    const owner = { self: ENGINE, prove: () => undefined, isAlive: (other: string) => other === ENGINE };
    const { onRow: _row, onLost: _lost, onTakeOver: _over, ...reading } = options;
    const said = (session: Key) => this.#live.uncommitted(session);
    this.#reader = new EmbeddedHost({ ...reading, owner, said, storage: new MemoryStorage(mask, tables) });
    this.#replica = new Replica({
      ...{ self, tables, clock },
      ingress: this.#ingress,
      changed: (session, rows, log) => this.#changed(session, rows, log),
    });
    this.attachments = new EngineAttachments(this.#ingress);
    this.#workSide = new WorkSide({
      ...{ self, tables, mask, environment, hasFolder },
      ...{ replica: this.#replica, ingress: this.#ingress },
      timeouts: this.#timeouts,
      now: () => clock.now(),
      work: (src) => this.#works.get(src),
      tell: async (key, event) => void (await this.send(key, event)),
      bring: (session, input) => this.attachments.bring(session, input),
      isOffered: (session, by) => this.#live.isOffered(session, by),
    });
    const [reader, replica, out] = [this.#reader, this.#replica, this.#workSide.live];
    this.#live = liveSide({ self, tables, replica, reader, out, clock, call: call ?? fetch });
    const { sessions, runs, questions, collecting, outline } = this.#reader;
    this.#index = new IndexReads(this.#ingress, sessions.find);
    this.sessions = { ...sessions, ...this.#index.sessions, isOwn: (session) => this.#own.has(session) };
    this.runs = { ...runs, ...this.#index.runs };
    this.questions = questions;
    this.collecting = collecting;
    this.outline = outline;
    this.trust = beside.trust;
    this.consents = beside.consents;
    this.schedules = beside.schedules;
    this.conversations = {
      read: (session, conversation) => this.#ingress.said(session, conversation),
      add: (session, conversation, messages) => this.#ingress.say(session, { conversation, messages: [...messages] }),
    };
  }

  /** What a worker serves. */
  serving(): ServingHost {
    const { self, name, mask, clock, id } = this.#options;
    return {
      self,
      services: servicesOf(name),
      cell: (session, version, rows) =>
        new SessionCell({ session, mask, machines: this.#machines, now: () => clock.now(), id }, version, rows),
      unknown: (what) =>
        "key" in what ? unknownStart(this.#machines, what) : unknownIn(this.#machines, what as readonly NamedRow[]),
      now: () => clock.now(),
      delay: (ms) => this.#time.delay(ms),
      learnTime: async () => void (await this.#ingress.ping()),
      begins: (start) => this.#workSide.begins(start),
      carry: (start, ended) => this.#workSide.carry(start, ended),
      carried: (start) => this.#workSide.carried(start),
      live: this.#workSide.live,
      end: () => this.#workSide.stop(),
      cutOff: (start) => this.#workSide.cutOff(start),
      shown: (text) => mask.text(text),
    };
  }

  machine(kind: Kind, machine: AnyStateMachine): void {
    this.#machines.set(kind, machine);
    this.#reader.machine(kind, machine);
  }
  work(src: string, work: Work): void {
    this.#works.set(src, work);
  }
  async create(key: Key, input: object): Promise<void> {
    this.#own.add(key);
    const { mask, tag } = this.#options;
    const { fault } = await this.#deliver(key, { is: "birth", input: mask.hide(input), tag });
    if (fault !== null) throw new Error(fault);
  }
  async send(key: Key, event: EventObject, options: { dedupe?: string } = {}): Promise<Delivery> {
    const session = key.startsWith("session/") ? key : this.sessions.sessionOf(key);
    if (session === undefined) return UNKNOWN;
    if (event.type === "prompt.received") this.#own.add(session);
    const post: Post = { is: "mail", key, event: this.#options.mask.hide(event), ...options };
    const { delivery, fault } = await this.#deliver(session, post);
    if (fault !== null) throw new TroupeError("SYSTEM.ENGINE.EVENT_FAILED", fault);
    return delivery ?? UNKNOWN;
  }
  write(key: Key, event: EventObject): Promise<Delivery> {
    return this.send(key, event);
  }
  takeIn(): void {
    // The engine brings what others have written.
  }
  listen(): () => void {
    return () => undefined;
  }
  read(key: Key): Snap | undefined {
    return this.#reader.read(key);
  }
  head(session: Key): number {
    return this.#reader.head(session);
  }
  rows(session: Key, after: number, limit: number): Exchange[] {
    return this.#reader.rows(session, after, limit);
  }
  backwards(session: Key, options?: { before?: number; types?: readonly Row["type"][] }): Iterable<Exchange> {
    return this.#reader.backwards(session, options);
  }
  follow(session: Key, after: Cursor, ...hearing: Hearing): Follower {
    const [unfollow, unwatch] = [this.#replica.follow(session), this.#live.watch(session)];
    const follower = this.#reader.follow(session, after, ...hearing);
    return {
      ...{ pause: () => follower.pause(), resume: () => follower.resume() },
      close: () => {
        unfollow();
        unwatch();
        follower.close();
      },
    };
  }
  /** Brings what the engine has of a session. */
  reach(session: Key): Promise<void> {
    return this.#replica.reach(session);
  }
  async reachRun(run: string): Promise<void> {
    const session = this.runs.find(run, null)?.session ?? (await this.#index.sessionOf(run));
    if (session !== undefined) await this.#replica.reach(session);
  }
  async remove(session: Key): Promise<Removal> {
    const removal = await this.#ingress.remove(session);
    if (removal === "removed") this.#replica.drop(session);
    else await this.#hold(session);
    return removal;
  }
  /** Who is to remove it hears when nothing of it runs (I2), also where that has just come to pass. */
  async #hold(session: Key): Promise<void> {
    this.#own.add(session);
    await this.#replica.reach(session);
    if (this.sessions.find(session)?.isOwned !== true) this.#own.delete(session);
  }
  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }
  async #end(): Promise<void> {
    await this.#workSide.stop();
    await Promise.allSettled(this.#posting);
    this.#live.stop();
    this.#replica.stop();
    this.#ingress.stop();
    this.#timeouts.stop();
    await this.#reader.stop();
    await this.#options.beside.stop();
  }

  /** I1. */
  async #deliver(session: Key, post: Post): Promise<Posted> {
    if (this.#stopping !== undefined) throw new Error("the host is stopped");
    const posting = this.#post(session, post);
    this.#posting.add(posting);
    return await posting.finally(() => this.#posting.delete(posting));
  }
  async #post(session: Key, post: Post): Promise<Posted> {
    const posted = await this.#ingress.deliver(session, post);
    await this.#replica.put(session, posted.commit);
    if (this.#replica.at(session) === 0) this.#changed(session, [["session", null]], []); // there is no such session
    await new Promise(setImmediate); // who follows it here has had it
    return posted;
  }
  #changed(session: Key, rows: readonly NamedRow[], log: readonly LogRow[]): void {
    this.#live.look(session, rows, log);
    this.#reader.recheck();
    this.#workSide.look(session, rows);
    if (!this.#own.has(session)) return;
    const { onRow, onLeave } = this.#options;
    if (log.length > 0) for (const row of this.rows(session, (log[0]?.seq ?? 1) - 1, log.length)) onRow?.(session, row);
    const about = rows.find(([name]) => name === "session")?.[1];
    if (about === undefined || (about !== null && (JSON.parse(about) as { owner: unknown }).owner !== null)) return;
    this.#own.delete(session);
    onLeave?.(session);
  }
}

const UNKNOWN: Delivery = { accepted: false, reason: "unknown" };
