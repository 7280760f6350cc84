/**
 * Wakes every process that watches the store's folder, after a commit.
 *
 * I1. It rings after the commit can be read by others. The store's own files are written before that, so a watcher of
 *     those alone looks too early and is not woken again.
 * I2. What stands in its place, a link or a pipe, is neither written to nor waited for.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

export const SIGNAL_SUFFIX = "-bell";
const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

export class CommitSignal {
  readonly #file: number;
  constructor(store: string) {
    this.#file = openSync(`${store}${SIGNAL_SUFFIX}`, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (fstatSync(this.#file).isFile()) return;
    closeSync(this.#file);
    throw new Error(`${store}${SIGNAL_SUFFIX} is no file`);
  }

  ring(): void {
    try {
      writeSync(this.#file, ".", 0);
    } catch {
      // a watcher is late, never wrong
    }
  }
  close(): void {
    closeSync(this.#file);
  }
}
