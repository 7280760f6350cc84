/**
 * Hears of another process's commit: woken by the file system, never by a timer.
 *
 * I1. Only the bell is watched. Were it the store's folder, each page that a commit writes would be an event of its own.
 * I2. A watcher that has failed hears nothing more: who listens next watches anew, for all.
 */
import { type FSWatcher, watch } from "node:fs";
import { SIGNAL_SUFFIX } from "./commit-signal.ts";

export class StoreWatch {
  readonly #file: string;
  readonly #heard = new Set<() => void>();
  #watcher: FSWatcher | undefined;
  readonly #watching: typeof watch;
  /** `file`: the store's. Nothing is watched before `listen`. */
  constructor(file: string, watching = watch) {
    this.#file = file;
    this.#watching = watching;
  }

  /** Calls `heard` when a process has committed, also this one, until the answer is called. Throws where the system has no watch left. */
  listen(heard: () => void): () => void {
    const use = (): void => heard(); // of its own: one function may listen twice
    this.#watcher ??= this.#watch();
    this.#heard.add(use);
    return () => {
      if (!this.#heard.delete(use) || this.#heard.size > 0) return;
      this.#watcher?.close();
      this.#watcher = undefined;
    };
  }

  #watch(): FSWatcher {
    const watcher = this.#watching(`${this.#file}${SIGNAL_SUFFIX}`, { persistent: false }, () => {
      for (const heard of [...this.#heard]) heard();
    });
    watcher.on("error", () => {
      watcher.close(); // a follower then sees new rows when it is resumed
      if (this.#watcher === watcher) this.#watcher = undefined;
    });
    return watcher;
  }
}
