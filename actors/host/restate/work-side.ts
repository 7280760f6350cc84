/**
 * The work that this process carries out for the engine.
 *
 * I1. A call for work that runs here joins it; its result is kept until the engine has it.
 * I2. Work whose call the engine has let go, and which nobody joins within GRACE_MS, is aborted. It was cut off then: it
 *     does not begin again when the engine calls once more.
 * I3. A session is followed while work of it runs here: what its machine says, and whether it waits, stands there.
 * I4. Work in a folder that is not here is not begun: it waits for a worker that has it, and its session says so.
 * I5. What its machine has said to work before that begins here, it hears when it begins.
 */
import type { EventObject } from "xstate";
import type { Key } from "../../../machines/model.ts";
import type { Environment } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Mask } from "../../masking/masking.ts";
import { INTERRUPTED, type Work } from "../host.ts";
import type { Tables } from "../memory/tables.ts";
import type { Timeouts } from "../timeouts.ts";
import { failure } from "../workers.ts";
import type { Ingress } from "./ingress.ts";
import { learnGiven } from "./lacking.ts";
import { type LiveFrame, LiveOut } from "./live-out.ts";
import type { LiveOffer, NamedRow, WorkOrder, WorkRow, WorkStart } from "./protocol.ts";
import type { Replica } from "./replica.ts";
import { workName } from "./rows.ts";
import { RunningWork } from "./running-work.ts";
import type { Carried, Ended } from "./serving-host.ts";

export type WorkSideHost = {
  /** Distinct for every process. */
  self: string;
  tables: Tables;
  replica: Replica;
  ingress: Pick<Ingress, "deliver">;
  mask: Mask;
  timeouts: Timeouts;
  now(): number;
  environment: Environment;
  hasFolder(folder: string): boolean;
  /** Brings what prompts of a session brought along, and an input may name. */
  bring(session: Key, input: string): Promise<void>;
  work(src: string): Work | undefined;
  tell(key: Key, event: EventObject): Promise<void>;
  /** Whether a session's rows say where work of a process can be followed. */
  isOffered(session: Key, by: string): boolean;
};
const GRACE_MS = 5_000;
const ORDERS = "orders ";
type Carrying = { start: WorkStart; running: RunningWork; unfollow(): void; grace: (() => void) | null };

export class WorkSide {
  /** What work here says, for those who follow it. */
  readonly live: LiveOut;
  readonly #host: WorkSideHost;
  readonly #carrying = new Map<string, Carrying>();
  /** I2. */
  readonly #cutOff = new Set<string>();
  /** What machines have said to work that they wait for, as its rows say it: it may begin here later (I5). */
  readonly #orders = new Map<Key, Map<string, string>>();
  #isStopped = false;
  constructor(host: WorkSideHost) {
    this.#host = host;
    this.live = new LiveOut(host.self, (session) => this.#said(session));
  }

  /** This process, where the session's folder is here (I4). */
  async begins(start: WorkStart): Promise<string> {
    const { replica, ingress, tables, hasFolder, self } = this.#host;
    const { key, id, nonce, session } = start;
    await replica.reach(session, start.n);
    const { cwd = "" } = tables.sessions.get(session) ?? {};
    if (!this.#isAwaited(start) || hasFolder(cwd)) return self;
    const words = `a worker has no ${cwd}: this goes on when one comes that has it`;
    await ingress.deliver(session, { is: "waits", which: { key, id, nonce }, words });
    throw new TroupeError("SYSTEM.ENGINE.NO_WORKER", words);
  }
  async carry(start: WorkStart, ended: AbortSignal): Promise<Carried> {
    if (this.#isStopped) throw new Error("this worker was stopped");
    const { replica, bring, mask, environment } = this.#host;
    if (this.#cutOff.has(workName(start))) return this.cutOff(start);
    const known = this.#carrying.get(workName(start));
    if (known === undefined) {
      await replica.reach(start.session, start.n);
      await bring(start.session, start.input);
      learnGiven(start.input, mask, environment);
    }
    if (ended.aborted) throw new Error("the engine has let this call go"); // I2: it calls again
    const carrying = this.#carrying.get(workName(start)) ?? this.#begin(start);
    if (carrying === null) return null;
    carrying.grace?.();
    carrying.grace = null;
    ended.addEventListener("abort", () => this.#letGo(carrying), { once: true });
    return await carrying.running.carried;
  }
  /** Its machine hears that it was cut off. */
  cutOff({ id }: WorkStart): Ended {
    return { rows: [], event: this.#host.mask.hide(failure(id, INTERRUPTED)), wasCutOff: true };
  }
  carried(start: WorkStart): void {
    this.#cutOff.delete(workName(start));
    const carrying = this.#carrying.get(workName(start));
    if (carrying !== undefined) this.#drop(carrying);
  }
  /** A session has changed. */
  look(session: Key, rows: readonly NamedRow[]): void {
    this.#note(session, rows);
    for (const carrying of this.#carrying.values()) {
      if (carrying.start.session !== session) continue;
      if (!this.#isAwaited(carrying.start)) carrying.running.giveUp();
      this.#tell(carrying);
    }
  }
  /** Resolves when sessions have what was said. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const stopping = [...this.#carrying.values()].map((carrying) => {
      this.#drop(carrying);
      return carrying.running.stop();
    });
    await Promise.allSettled(stopping);
  }

  /** Null where it is no longer waited for. */
  #begin(start: WorkStart): Carrying | null {
    if (this.#isStopped) throw new Error("this worker was stopped");
    if (!this.#isAwaited(start)) return null;
    const { replica, ingress, mask, timeouts, now, work, tell, isOffered } = this.#host;
    const { key, id, nonce, session } = start;
    const which = { key, id, nonce };
    const post = async (rows: WorkRow[], live?: LiveOffer): Promise<number | null> => {
      const offer = live === undefined ? {} : { live };
      const { commit } = await ingress.deliver(session, { is: "work", which, rows, event: null, ...offer });
      return commit?.n ?? null;
    };
    const running = new RunningWork(start, {
      mask,
      timeouts,
      now,
      work: work(start.src),
      record: post,
      live: this.live,
      offerLive: async () => {
        const offer = this.live.offer(session);
        if (offer !== null && !isOffered(session, offer.by)) await post([], offer);
      },
      tell,
    });
    const carrying: Carrying = { start, running, unfollow: replica.follow(session), grace: null };
    this.#carrying.set(workName(start), carrying);
    this.#tell(carrying);
    return carrying;
  }
  /** I5. */
  #note(session: Key, rows: readonly NamedRow[]): void {
    const orders = this.#orders.get(session) ?? new Map<string, string>();
    for (const [name, row] of rows)
      if (name.startsWith(ORDERS) && row !== null) orders.set(name.slice(ORDERS.length), row);
    const { works } = this.#host.tables.read(session);
    const awaited = new Set(works.values().map(workName));
    for (const name of orders.keys()) if (!awaited.has(name)) orders.delete(name);
    if (orders.size === 0) this.#orders.delete(session);
    else this.#orders.set(session, orders);
  }
  #tell({ start, running }: Carrying): void {
    const said = this.#orders.get(start.session)?.get(workName(start));
    if (said !== undefined) running.hear(JSON.parse(said) as WorkOrder[]);
  }
  #said(session: Key): LiveFrame[] {
    return [...this.#carrying.values()].flatMap(({ start, running }) =>
      start.session === session ? running.said() : [],
    );
  }
  #isAwaited({ session, key, id, nonce }: WorkStart): boolean {
    return this.#host.tables.read(session).works.get(`${key} ${id}`)?.nonce === nonce;
  }
  /** I2. */
  #letGo(carrying: Carrying): void {
    if (this.#carrying.get(workName(carrying.start)) !== carrying) return;
    carrying.grace?.();
    carrying.grace = this.#host.timeouts.after(GRACE_MS, () => {
      carrying.running.giveUp();
      this.#drop(carrying);
      this.#cutOff.add(workName(carrying.start));
    });
  }
  #drop(carrying: Carrying): void {
    carrying.grace?.();
    carrying.unfollow();
    this.#carrying.delete(workName(carrying.start));
  }
}
