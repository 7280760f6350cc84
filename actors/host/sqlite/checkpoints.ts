/**
 * Has what stands in the write-ahead log brought into the store's file, on a thread of its own: done within a commit
 * that takes 20 to 40 ms, in which the event loop stands still.
 *
 * I1. The thread begins with the first work for it, does one at a time, and keeps no process alive.
 * I2. Nothing depends on it. Where it cannot run, or comes too late, SQLite does the same within a commit, as it always
 *     did: after MOST_PAGES.
 * I3. A log that a slow reader has kept from beginning anew does not stay as large as it grew.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";

/** Pages of the log at which a commit brings them in itself. */
export const MOST_PAGES = 16_000;
/** Bytes that the log keeps once it begins anew: what a reader that stood still has made it grow by goes (I3). */
export const MOST_LEFT = MOST_PAGES * 4_096;
/** Statements between two checkpoints; a step of a chain has 25 and writes 6 pages, a prompt alone 50 and 20. */
export const STATEMENTS_BETWEEN = 10_000;
/** It holds next to nothing. */
const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/** Where the thread's program is: beside this file, or in what was built of it; null where it is missing. */
function programOf(here = fileURLToPath(import.meta.url)): string | null {
  const folder = dirname(here);
  const places = here.endsWith(".ts")
    ? [join(folder, "checkpoint-program.ts")]
    : [join(folder, "checkpoints.js"), join(folder, "..", "checkpoints.js")];
  return places.find((place) => existsSync(place)) ?? null;
}

export class Checkpoints {
  readonly #file: string;
  readonly #program: string | null;
  #thread: Worker | null = null;
  #state: "idle" | "works" | "off" = "idle";
  #statements = 0;

  constructor(file: string, program: string | null = programOf()) {
    this.#file = file;
    this.#program = program;
  }

  get isIdle(): boolean {
    return this.#state === "idle";
  }
  /** After a commit of so many statements. */
  note(statements: number): void {
    this.#statements += statements;
    if (this.#state !== "idle" || this.#statements < STATEMENTS_BETWEEN) return;
    this.#statements = 0;
    this.#begin().catch(() => {
      this.#state = "off"; // I2: the system gives no thread
    });
  }
  close(): void {
    this.#state = "off";
    void this.#thread?.terminate();
  }

  async #begin(): Promise<void> {
    if (this.#program === null) return;
    this.#state = "works";
    this.#thread ??= await this.#started(this.#program);
    if (this.#state === "works") this.#thread.postMessage("checkpoint");
    else void this.#thread.terminate(); // closed meanwhile
  }
  async #started(program: string): Promise<Worker> {
    const { Worker } = await import("node:worker_threads"); // not before it is needed: starts are counted in milliseconds
    const thread = new Worker(program, {
      workerData: this.#file,
      execArgv: ["--no-warnings"],
      resourceLimits: SMALL,
      stdout: true,
      stderr: true,
    });
    const end = (): void => {
      this.#state = "off"; // I2
    };
    thread.on("message", () => {
      if (this.#state !== "works") return;
      this.#state = "idle";
      this.note(0);
    });
    thread.on("error", end).on("exit", end);
    thread.unref();
    return thread;
  }
}
