/**
 * One piece of work that runs in this process for a session of the engine's.
 *
 * I1. Its rows reach the session in the order in which they came to be, the last of them with its result.
 * I2. What its machine says to it is heard once each, in order.
 * I3. Work that its session no longer waits for is aborted, and sends nothing more; nor does work that has ended.
 * I4. Text is shown live when the session has all rows that stand before it, and while it is at most LEAD_MS behind.
 */
import type { EventObject } from "xstate";
import type { Live, Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Mask } from "../../masking/masking.ts";
import type { Work } from "../host.ts";
import { TextWriter } from "../text-writer.ts";
import type { Timeouts } from "../timeouts.ts";
import { Workers } from "../workers.ts";
import { lackOf } from "./lacking.ts";
import type { LiveFrame, LiveOut } from "./live-out.ts";
import type { WorkOrder, WorkRow, WorkStart } from "./protocol.ts";
import type { Carried } from "./serving-host.ts";

export type RunningHost = {
  mask: Mask;
  timeouts: Timeouts;
  now(): number;
  work: Work | undefined;
  /** Resolves with the commit of the session that has them; null: it does not want them. */
  record(rows: WorkRow[]): Promise<number | null>;
  live: Pick<LiveOut, "isWatched" | "show">;
  /** Says where it can be followed live, unless the session has that. */
  offerLive(): Promise<void>;
  tell(key: Key, event: EventObject): Promise<void>;
};

const LEAD_MS = 2_000;

export class RunningWork {
  readonly #host: RunningHost;
  readonly #start: WorkStart;
  readonly #texts: TextWriter;
  readonly #workers: Workers;
  readonly #done = Promise.withResolvers<Carried>();
  #rows: WorkRow[] = [];
  /** What is on its way to the session. */
  #sent: Promise<unknown> = Promise.resolve();
  #heard = 0;
  #ticks = 0;
  #isScheduled = false;
  #isOver = false;
  /** The session's commit that has what was recorded. */
  #n: number;
  /** How many rows there were, how many of them the session has, and behind which of them there is text alone. */
  #appended = 0;
  #recorded = 0;
  #barrier = 0;
  /** Since when rows are on their way. */
  #sending: number | null = null;
  #isOffered = false;

  constructor(start: WorkStart, host: RunningHost) {
    this.#start = start;
    this.#host = host;
    this.#n = start.n;
    const { mask, timeouts } = host;
    this.#texts = new TextWriter({
      show: (session, live) => this.#host.live.show(session, this.#frame(live)),
      watched: (session) => this.#isShowing && host.live.isWatched(session),
      head: () => 0,
      append: (_, row) => this.#append(row),
      mask: () => mask.stream(),
      schedule: () => this.#schedule(),
      later: (ms, act) => void timeouts.after(ms, act),
      tick: () => this.#ticks,
    });
    this.#workers = new Workers({
      texts: this.#texts,
      record: (_, row) => {
        this.#append(mask.row(row));
        this.#barrier = this.#appended;
        this.#schedule();
      },
      post: ({ event }) => this.#end(event),
      tell: async (key, event) => {
        if (this.#isOver) return;
        await this.#flush();
        await host.tell(key, event);
      },
      failpoint: () => undefined,
    });
    if (host.work !== undefined) this.#workers.define(start.src, host.work);
    this.#workers.start({ ...start, input: mask.reveal(start.input) });
    this.#workers.commit();
    this.#done.promise.catch(() => undefined);
  }

  /** Settles when the session has all but what this answers. */
  get carried(): Promise<Carried> {
    return this.#done.promise;
  }
  /** What is said, and in no row (I4). */
  said(): LiveFrame[] {
    if (!this.#isShowing) return [];
    return this.#texts.uncommitted(this.#start.session).map((live) => this.#frame(live));
  }
  /** All that its machine has said by now (I2). */
  hear(orders: readonly WorkOrder[]): void {
    for (const order of orders.slice(this.#heard)) {
      if (order.do === "cancel") this.#workers.cancel(this.#start);
      else this.#workers.hear(this.#start, this.#host.mask.reveal(order.event) as EventObject);
    }
    this.#heard = Math.max(this.#heard, orders.length);
    this.#workers.commit();
  }
  /** I3. */
  giveUp(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#workers.end(this.#start);
    this.#workers.commit();
    this.#done.resolve(null);
  }
  /** This process ends: another one reports that it was cut off. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#texts.end(this.#name);
    const sent = this.#flush();
    this.#isOver = true;
    this.#workers.stop();
    this.#done.reject(new Error("this worker was stopped"));
    await sent;
  }

  get #name(): string {
    const { key, id, nonce } = this.#start;
    return `${key} ${id} ${nonce}`;
  }
  /** I4. */
  get #isShowing(): boolean {
    if (!this.#isOffered) void this.#offer();
    const isLate = this.#sending !== null && this.#host.now() - this.#sending > LEAD_MS;
    return !this.#isOver && !isLate && this.#recorded >= this.#barrier;
  }
  #frame(live: Live): LiveFrame {
    return { work: this.#name, n: this.#n, live };
  }
  async #offer(): Promise<void> {
    this.#isOffered = true;
    await this.#host.offerLive().catch(() => undefined); // its text comes with its rows
  }
  #append(row: Row): void {
    if (this.#isOver) return;
    this.#rows.push({ row: JSON.stringify(row), at: this.#host.now() });
    this.#appended++;
  }
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#ticks++;
      void this.#flush();
    });
  }
  /** I1. */
  #flush(): Promise<unknown> {
    this.#sent = this.#sent.then(async () => {
      const rows = this.#rows.splice(0);
      if (rows.length > 0) await this.#record(rows);
    });
    this.#sent.catch((error: unknown) => {
      if (!this.#isOver) this.#done.reject(error);
    });
    return this.#sent;
  }
  async #record(rows: WorkRow[]): Promise<void> {
    this.#sending = this.#host.now();
    const wasShowing = this.#recorded >= this.#barrier;
    this.#n = (await this.#host.record(rows)) ?? this.#n;
    this.#recorded += rows.length;
    this.#sending = null;
    if (!wasShowing) for (const frame of this.said()) this.#host.live.show(this.#start.session, frame);
  }
  #end(event: EventObject): void {
    if (this.#isOver) return;
    this.#texts.end(this.#name);
    this.#isOver = true;
    const { mask } = this.#host;
    const waits = this.#appended === 0 ? lackOf(event, this.#start.input, mask) : null;
    if (waits !== null) return this.#done.resolve({ waits });
    const rows = this.#rows.splice(0);
    this.#sent.then(
      () => this.#done.resolve({ rows, event: mask.hide(event) }),
      (error: unknown) => this.#done.reject(error),
    );
  }
}
