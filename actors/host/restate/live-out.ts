/**
 * What work of this process says, word by word, to those who follow it from elsewhere.
 *
 * I1. Nothing depends on it: what a reader misses comes with its row. A reader that does not read in time is passed over.
 * I2. A session is followed by who has its token, which this process alone can make, and the engine keeps with the session.
 * I3. It is offered only where this process listens.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Live } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { LiveOffer } from "./protocol.ts";

/** `work`: the name of the start that says it. `n`: the commit of its session behind which it was said. */
export type LiveFrame = { work: string; n: number; live: Live };
export type TakeLive = (frame: LiveFrame) => void;

export class LiveOut {
  readonly #by: string;
  /** What is said by now in a session, and is in no row of it. */
  readonly #said: (session: Key) => readonly LiveFrame[];
  readonly #secret = randomBytes(32);
  readonly #readers = new Map<Key, Set<TakeLive>>();
  #url: string | null = null;
  constructor(by: string, said: (session: Key) => readonly LiveFrame[]) {
    this.#by = by;
    this.#said = said;
  }

  /** It can be followed there, or nowhere. */
  at(url: string | null): void {
    this.#url = url;
  }
  /** I3. */
  offer(session: Key): LiveOffer | null {
    return this.#url === null ? null : { by: this.#by, url: this.#url, token: this.#tokenOf(session) };
  }
  /** I2. */
  opens(session: Key, token: string): boolean {
    const [given, own] = [Buffer.from(token), Buffer.from(this.#tokenOf(session))];
    return given.length === own.length && timingSafeEqual(given, own);
  }
  isWatched(session: Key): boolean {
    return this.#readers.has(session);
  }
  show(session: Key, frame: LiveFrame): void {
    for (const take of this.#readers.get(session) ?? []) take(frame);
  }
  /** First what is said by now; the answer ends it. */
  follow(session: Key, take: TakeLive): () => void {
    const readers = this.#readers.get(session) ?? new Set();
    this.#readers.set(session, readers.add(take));
    for (const frame of this.#said(session)) take(frame);
    return () => {
      readers.delete(take);
      if (readers.size === 0 && this.#readers.get(session) === readers) this.#readers.delete(session);
    };
  }

  #tokenOf(session: Key): string {
    return createHmac("sha256", this.#secret).update(session).digest("base64url");
  }
}
