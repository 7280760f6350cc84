/**
 * Wakes whoever watches the store's folder, after a commit.
 *
 * I1. It rings after the commit can be read by others. The store's own files are written before that, so a watcher of
 *     those alone looks too early and is not woken again.
 */
import { closeSync, openSync, writeSync } from "node:fs";

export const BELL_SUFFIX = "-bell";

export class Bell {
  readonly #file: number;
  constructor(store: string) {
    this.#file = openSync(`${store}${BELL_SUFFIX}`, "w", 0o600);
  }

  ring(): void {
    try {
      writeSync(this.#file, ".", 0);
    } catch {
      // whoever watches is late, never wrong
    }
  }
  close(): void {
    closeSync(this.#file);
  }
}
