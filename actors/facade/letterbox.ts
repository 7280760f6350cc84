/**
 * The permissions that this process has asked for and that are open: another process may answer them.
 *
 * I1. A process without an open question does not listen.
 * I2. What was left before it began to listen is found when it begins.
 */
import type { Exchange } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";

export type LetterboxHost = {
  /** Listens to other processes until the answer is called. */
  listen: () => () => void;
  takeIn: () => void;
};

export class Letterbox {
  readonly #host: LetterboxHost;
  /** The session of each. */
  readonly #open = new Map<string, Key>();
  #unlisten: (() => void) | null = null;
  constructor(host: LetterboxHost) {
    this.#host = host;
  }

  /** For every committed row of this process. */
  note(session: Key, row: Exchange): void {
    if (row.type === "permission.requested") this.#await(row.payload.permission, session);
    else if (row.type === "permission.resolved" && this.#open.delete(row.payload.permission)) this.#rest();
  }
  /** Another process has written. */
  look(): void {
    if (this.#open.size > 0) this.#host.takeIn();
  }
  /** Its questions are another process's now. */
  forget(session: Key): void {
    for (const [permission, of] of this.#open) if (of === session) this.#open.delete(permission);
    this.#rest();
  }
  close(): void {
    this.#open.clear();
    this.#rest();
  }

  #await(permission: string, session: Key): void {
    this.#open.set(permission, session);
    if (this.#unlisten !== null) return;
    try {
      this.#unlisten = this.#host.listen();
    } catch {
      return; // the system has no watch left: a decision from elsewhere fails: this process does not read
    }
    this.#host.takeIn();
  }
  #rest(): void {
    if (this.#open.size > 0) return;
    this.#unlisten?.();
    this.#unlisten = null;
  }
}
