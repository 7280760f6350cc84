/** What every stage of a host is made of: time that only moves when told, jobs that end when told, hosts that can crash. */
import type { EmbeddedHost } from "../../actors/host/embedded.ts";
import type { Follower, Host, WorkContext } from "../../actors/host/host.ts";
import type { Cursor, Frame } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { JobInput } from "./host-children.ts";

/** Time for hosts: stands still until `advance`. */
export class TestClock {
  #now = 1_000_000;
  #set = 0;
  #waiting = new Set<{ at: number; act: () => void }>();
  now(): number {
    return this.#now + this.#set;
  }
  elapsed(): number {
    return this.#now;
  }
  /** The machine's clock is set: no time has passed. */
  jump(ms: number): void {
    this.#set += ms;
  }
  after(ms: number, act: () => void): () => void {
    const entry = { at: this.#now + ms, act };
    this.#waiting.add(entry);
    return () => void this.#waiting.delete(entry);
  }
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = [...this.#waiting].filter((e) => e.at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#waiting.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.act();
    }
    this.#now = until;
  }
  /** Time passes while nothing can run; then whatever had come due by the old time runs, once. */
  oversleep(ms: number): void {
    const due = [...this.#waiting].filter((entry) => entry.at <= this.#now + ms);
    this.#now += ms;
    for (const entry of due) if (this.#waiting.delete(entry)) entry.act();
  }
  /** How long until something comes due. */
  get next(): number {
    return Math.min(...[...this.#waiting].map(({ at }) => at)) - this.#now;
  }
  get waiting(): number {
    return this.#waiting.size;
  }
}

export type Job = {
  label: string;
  context: WorkContext;
  done(output?: unknown): void;
  fail(code: string, message?: string): void;
};
/** The jobs that a host was asked to do. A job ends when its test says so, or fails with ABORTED when it is aborted. */
export class Jobs {
  readonly all: Job[] = [];
  /** Called in the very tick that starts a job, before anything is awaited. */
  onStart: ((job: Job) => void) | undefined;
  readonly work = ({ label }: JobInput, context: WorkContext): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const fail = (code: string, message = code): void => reject({ code, message });
      context.signal.addEventListener("abort", () => fail("ABORTED"));
      const job: Job = { label, context, done: resolve, fail };
      this.all.push(job);
      this.onStart?.(job);
    });
  get labels(): string[] {
    return this.all.map((job) => job.label);
  }
  /** The n-th job that was started, counted from 0. */
  async started(n: number): Promise<Job> {
    await until(() => this.all.length > n);
    return this.all[n]!;
  }
}

/** One host of a stage, as if it were a process. */
export type Actor = {
  /** `read`: what is kept of an actor, which no user of the port sees. */
  host: Host & Pick<EmbeddedHost, "read">;
  jobs: Jobs;
  follow(session: Key, push: (frames: readonly Frame[]) => void, after?: Cursor): Follower;
  /** Ends it as kill -9 would: nothing more is written or reported. */
  crash(): void;
  /** The host looks at what others have written, as its watch would make it. */
  look(): void;
};
export interface Stage {
  readonly clock: TestClock;
  /** Starts a host over the stage's one store. */
  enter(): Actor;
  /** Ends all hosts and removes the store. */
  close(): Promise<void>;
}

/** Settles when `condition` holds: events are awaited in turns of the event loop, never by time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
