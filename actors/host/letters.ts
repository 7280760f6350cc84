/**
 * Events for a session that another living process owns: left in the store for that process, which takes them in.
 *
 * I1. A letter is taken in once: what became of it is written in the transaction that delivers it.
 * I2. It is taken back when it was not read in time: either that or its delivery comes first, never both.
 * I3. It is for the process that owned the session when it was left: the next owner refuses it.
 */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import type { Delivery } from "./host.ts";
import type { Mail } from "./mail.ts";
import type { Ownership } from "./ownership.ts";
import type { Patiently } from "./patience.ts";
import type { Storage } from "./storage.ts";
import type { Timeouts } from "./timeouts.ts";
import { written } from "./written.ts";

/** How long, in milliseconds, the owner may take to read. */
export const LETTER_LIMIT_MS = 5_000;
/** What is older than this was left by a process that has died: it is not waited for. */
const FORGOTTEN_MS = 60_000;

export interface LettersHost {
  store: Storage;
  own: Ownership;
  timeouts: Timeouts;
  /** Milliseconds since the epoch. */
  now(): number;
  post(mail: Mail): void;
  send(key: Key, event: EventObject): Promise<Delivery>;
  patiently: Patiently;
}

export class Letters {
  readonly #host: LettersHost;
  /** Who waits, by letter. */
  readonly #waiting = new Map<number, () => void>();
  readonly #writing = new Set<Promise<Delivery>>();
  #isStopping = false;
  constructor(host: LettersHost) {
    this.#host = host;
  }

  /** As `send`, and to the owner where that is another process. `owned`: it lives, and has not read it in time. */
  async write(key: Key, event: EventObject, listen: () => () => void): Promise<Delivery> {
    const writing = this.#write(key, event, listen);
    this.#writing.add(writing);
    try {
      return await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }
  async #write(key: Key, event: EventObject, listen: () => () => void): Promise<Delivery> {
    const { send, patiently } = this.#host;
    const delivery = await send(key, event);
    if (delivery.accepted || delivery.reason !== "owned") return delivery;
    const unlisten = listen();
    try {
      const letter = await patiently(() => this.#leave(key, event));
      if (letter !== null && !this.#isStopping) await this.#answered(letter);
      const accepted = letter === null ? null : await patiently(() => this.#takeBack(letter));
      if (accepted === null) return await send(key, event); // the owner may have died meanwhile, or have let it go
      return accepted ? { accepted } : { accepted, reason: "refused" };
    } finally {
      unlisten();
    }
  }
  /** Another process has written: it may have taken a letter of this one in, or have let its session go. */
  look(): void {
    for (const [letter, resolve] of this.#waiting) if (!this.#host.store.letters.isAwaited(letter)) resolve();
  }
  /** The owner's side. A letter that is taken in twice in a tick is delivered once (I1). */
  takeIn(): void {
    const { store, own, post } = this.#host;
    if (!own.hasAny) return;
    for (const { id, session, key, event } of store.letters.unread())
      if (own.has(session)) post({ key, event: store.mask.reveal(event) as EventObject, letter: id });
  }
  /** Nothing is waited for any more. Resolves when what was not read is taken back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const resolve of this.#waiting.values()) resolve();
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  #answered(letter: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unlimited = this.#host.timeouts.after(LETTER_LIMIT_MS, resolve);
    this.#waiting.set(letter, resolve);
    this.look();
    return promise.finally(() => {
      unlimited();
      this.#waiting.delete(letter);
    });
  }
  /** The letter's number; null when there is no such key any more. */
  #leave(key: Key, event: EventObject): number | null {
    const { store, now } = this.#host;
    return written(store, () => {
      store.letters.sweep(now() - FORGOTTEN_MS);
      return store.letters.leave(key, store.mask.hide(event), now()) ?? null;
    });
  }
  /** What became of it; null when it was not read. */
  #takeBack(letter: number): boolean | null {
    const { store } = this.#host;
    return written(store, () => store.letters.takeBack(letter));
  }
}
