/**
 * A stage for tests of `Host`: several hosts over one store, time that only moves when told, jobs that end when told.
 * Another implementation of `Host` joins the conformance suite by adding its stage to `STAGES`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedHost } from "../../actors/host/embedded.ts";
import type { Delivery, Follower, Host, WorkContext } from "../../actors/host/host.ts";
import { MemoryStorage } from "../../actors/host/memory/memory-storage.ts";
import { Tables } from "../../actors/host/memory/tables.ts";
import type { HostOptions } from "../../actors/host/options.ts";
import { Store } from "../../actors/host/sqlite/store.ts";
import type { Storage } from "../../actors/host/storage.ts";
import { type Mask, NO_MASKING } from "../../actors/masking/masking.ts";
import { type Cursor, type Exchange, type Frame, isLive, START } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { JobInput } from "./host-children.ts";
import { MACHINES } from "./host-machines.ts";

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
  fail(code: string): void;
};
/** The jobs that a host was asked to do. A job ends when its test says so, or fails with ABORTED when it is aborted. */
export class Jobs {
  readonly all: Job[] = [];
  /** Called in the very tick that starts a job, before anything is awaited. */
  onStart: ((job: Job) => void) | undefined;
  readonly work = ({ label }: JobInput, context: WorkContext): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const fail = (code: string): void => reject({ code, message: code });
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

type Entering = Partial<Omit<HostOptions, "storage">> & { mask?: Mask };

/** Hosts over one storage, which each of them opens for itself. */
abstract class OneStage implements Stage {
  readonly clock = new TestClock();
  readonly #alive = new Map<string, EmbeddedHost>();
  #names = 0;
  #ids = 0;
  protected abstract open(mask: Mask): Storage;
  protected abstract remove(): void;

  enter({ mask = NO_MASKING, ...options }: Entering = {}): Actor & { host: EmbeddedHost; name: string } {
    const name = `host-${++this.#names}`;
    const jobs = new Jobs();
    const followers: Follower[] = [];
    const host = new EmbeddedHost({
      storage: this.open(mask),
      clock: {
        now: () => this.clock.now(),
        elapsed: () => this.clock.elapsed(),
        after: (ms, act) => this.clock.after(ms, () => this.#alive.has(name) && act()),
      },
      id: (kind) => `${kind}-${++this.#ids}`,
      owner: { self: name, prove: () => undefined, isAlive: (other) => this.#alive.has(other) },
      ...options,
    });
    this.#alive.set(name, host);
    for (const [kind, machine] of MACHINES) host.machine(kind, machine);
    host.work("job", jobs.work);
    return {
      host,
      jobs,
      name,
      follow: (session, push, after = START) => {
        const follower = host.follow(session, after, push);
        followers.push(follower);
        return follower;
      },
      crash: () => {
        this.#alive.delete(name);
        for (const follower of followers) follower.close();
        host.store.close();
      },
      look: () => host.recheck(),
    };
  }
  async close(): Promise<void> {
    for (const host of this.#alive.values()) await host.stop();
    this.#alive.clear();
    this.remove();
  }
}

/** Over a file of SQLite. */
export class EmbeddedStage extends OneStage {
  readonly folder = mkdtempSync(join(tmpdir(), "troupe-host-"));
  readonly file = join(this.folder, "troupe.db");
  protected open(mask: Mask): Storage {
    return new Store(this.file, "normal", mask);
  }
  protected remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
/** Over tables in memory, which outlive a host here as a file does. */
export class MemoryStage extends OneStage {
  readonly #tables = new Tables();
  protected open(mask: Mask): Storage {
    return new MemoryStorage(mask, this.#tables);
  }
  protected remove(): void {
    // nothing is left
  }
}
export const STAGES: [string, () => Stage][] = [
  ["on SQLite", () => new EmbeddedStage()],
  ["in memory", () => new MemoryStage()],
];

/** Settles when `condition` holds: events are awaited in turns of the event loop, never by time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Lets the host come to rest: enough turns for anything that one event causes here. */
export async function rest(): Promise<void> {
  for (let i = 0; i < 12; i++) await turn();
}

/** What rows say, in order: a notice's message, a text with its offset, the type of others. */
export const wordsOf = (rows: readonly Frame[]): string[] => rows.map(wordOf);
function wordOf(row: Frame): string {
  const live = isLive(row) ? "~" : "";
  if (row.type === "notice") return live + row.payload.message;
  if ("block" in row.payload) return `${live}${row.payload.block}@${row.payload.offset}:${row.payload.text}`;
  return live + row.type;
}
export const log = (host: Pick<Host, "rows">, session: Key): Exchange[] => host.rows(session, 0, 1_000_000);
export const words = (host: Pick<Host, "rows">, session: Key): string[] => wordsOf(log(host, session));
export const ACCEPTED: Delivery = { accepted: true };
export const refusal = (reason: "refused" | "unknown" | "owned"): Delivery => ({ accepted: false, reason });
/** The head of an assistant's text block. */
export const speech = (block: string) => ({ type: "message.assistant" as const, block });
