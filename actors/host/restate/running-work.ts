/**
 * One piece of work that runs in this process for a session of the engine's.
 *
 * I1. Its rows reach the session in the order in which they came to be, the last of them with its result.
 * I2. What its machine says to it is heard once each, in order.
 * I3. Work that its session no longer waits for is aborted, and sends nothing more.
 */
import type { EventObject } from "xstate";
import type { Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Mask } from "../../masking/masking.ts";
import type { Work } from "../host.ts";
import { TextWriter } from "../text-writer.ts";
import type { Timeouts } from "../timeouts.ts";
import { Workers } from "../workers.ts";
import type { WorkOrder, WorkRow, WorkStart } from "./protocol.ts";
import type { Carried } from "./services.ts";

export type RunningHost = {
  mask: Mask;
  timeouts: Timeouts;
  now(): number;
  work: Work | undefined;
  /** Resolves when the session has them. */
  record(rows: WorkRow[]): Promise<void>;
  tell(key: Key, event: EventObject): Promise<void>;
};

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

  constructor(start: WorkStart, host: RunningHost) {
    this.#start = start;
    this.#host = host;
    const { mask, timeouts } = host;
    this.#texts = new TextWriter({
      show: () => undefined,
      watched: () => false,
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
        this.#schedule();
      },
      post: ({ event }) => this.#end(event),
      tell: async (key, event) => {
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
  #append(row: Row): void {
    if (!this.#isOver) this.#rows.push({ row: JSON.stringify(row), at: this.#host.now() });
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
      if (rows.length > 0) await this.#host.record(rows);
    });
    this.#sent.catch((error: unknown) => {
      if (!this.#isOver) this.#done.reject(error);
    });
    return this.#sent;
  }
  #end(event: EventObject): void {
    if (this.#isOver) return;
    this.#texts.end(this.#name);
    this.#isOver = true;
    const rows = this.#rows.splice(0);
    this.#sent.then(
      () => this.#done.resolve({ rows, event: this.#host.mask.hide(event) }),
      (error: unknown) => this.#done.reject(error),
    );
  }
}
