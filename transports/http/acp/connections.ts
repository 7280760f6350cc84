/**
 * Who is connected over HTTP. The SDK keeps a connection until its client deletes it; here it also ends by itself.
 *
 * I1. A connection belongs to the subject that opened it: to any other it is unknown.
 * I2. One that no request and no open stream was seen of for `idleMs` is ended; where places are short, sooner.
 */
import type { Questions } from "./belonging.ts";
import type { Carrier } from "./carrier.ts";

/** What is kept of a connection. `gone` resolves when nothing of it is left. */
export type Kept = { questions: Questions; carrier: Carrier; gone: Promise<void> };
type HttpConnection = Kept & { subject: string | null; streams: number; seenAt: number };

export class Connections {
  readonly #byId = new Map<string, HttpConnection>();
  readonly #now: () => number;
  /** `now`: milliseconds; only differences count. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(id: string, subject: string | null, kept: Kept): void {
    this.#byId.set(id, { ...kept, subject, streams: 0, seenAt: this.#now() });
  }
  /** Resolves when nothing of it is left. */
  async remove(id: string): Promise<void> {
    const found = this.#byId.get(id);
    this.#byId.delete(id);
    await found?.gone;
  }
  /** The connection, where it is there and theirs; it was used now. */
  use(id: string, subject: string | null): Kept | null {
    const found = this.#byId.get(id);
    if (found === undefined || found.subject !== subject) return null;
    found.seenAt = this.#now();
    return found;
  }
  /** A stream of it is open until what this answers is called. */
  stream(id: string): () => void {
    const found = this.#byId.get(id);
    if (found !== undefined) found.streams++;
    return () => {
      if (found === undefined) return;
      found.streams--;
      found.seenAt = this.#now();
    };
  }
  /** The connection without a stream that was used longest ago: of theirs or, where places of all are lacking, of all. */
  streamless(subject: string | null, lacking: "own" | "all"): string | null {
    const all = [...this.#byId].filter(([, { streams }]) => streams === 0);
    const own = all.filter(([, one]) => one.subject === subject);
    const [oldest] = (own.length > 0 || lacking === "own" ? own : all).sort(([, a], [, b]) => a.seenAt - b.seenAt);
    return oldest?.[0] ?? null;
  }
  /** The connections that nothing was seen of for `idleMs`. */
  idle(idleMs: number): string[] {
    const since = this.#now() - idleMs;
    return [...this.#byId].filter(([, one]) => one.streams === 0 && one.seenAt <= since).map(([id]) => id);
  }
}
