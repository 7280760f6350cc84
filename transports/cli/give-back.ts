/**
 * Gives memory back once a process that serves has come to rest.
 *
 * After a burst V8 keeps the room in which new objects are made: a hundred MiB, most of what an idle session seems to
 * cost. It gives that back with the next collection of everything, which a process at rest never comes to.
 *
 * I1. A process at rest has no timer: a collection says that something runs, and begins the wait.
 * I2. The event loop stands still meanwhile, so it is done at most once in EVERY_MS, and only where it is worth that.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { collect } from "./built/collect.ts";

export const REST_MS = 1_000;
export const EVERY_MS = 60_000;
/** Room for new objects, in bytes: for less the event loop need not stand still. */
export const WORTH = 16 * 1024 ** 2;

export type Memory = {
  now(): number;
  after(ms: number, act: () => void): void;
  /** The room for new objects, in bytes. */
  young(): number;
  collect(): void;
};

/** When memory is given back: told of each collection, it waits for rest. */
export class GiveBack {
  readonly #memory: Memory;
  #heard = 0;
  #collected = Number.NEGATIVE_INFINITY;
  #waits = false;
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Something was collected: something runs. */
  heard(): void {
    this.#heard = this.#memory.now();
    if (!this.#waits) this.#wait(REST_MS);
  }

  #wait(ms: number): void {
    this.#waits = true;
    this.#memory.after(ms, () => this.#over());
  }
  #over(): void {
    const now = this.#memory.now();
    this.#waits = false;
    if (this.#memory.young() < WORTH) return;
    const left = Math.max(this.#heard + REST_MS, this.#collected + EVERY_MS) - now;
    if (left > 0) return this.#wait(left);
    this.#collected = now;
    this.#memory.collect();
  }
}

/** This process's own. */
export const MEMORY: Memory = {
  now: () => performance.now(),
  after: (ms, act) => void setTimeout(act, ms).unref(),
  young: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.physical_space_size ?? 0,
  collect: () => collect({ type: "major", flavor: "last-resort" }), // another flavour keeps the room
};

let listens = false;

/** From now on this process gives back what it does not need; idempotent. */
export function giveBack(): void {
  if (listens) return;
  listens = true;
  const back = new GiveBack(MEMORY);
  new PerformanceObserver(() => back.heard()).observe({ entryTypes: ["gc"] });
}
