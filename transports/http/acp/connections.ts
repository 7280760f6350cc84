/**
 * Who is connected over HTTP. The SDK keeps a connection until its client deletes it; here it also ends by itself.
 *
 * I1. A connection belongs to who opened it: to anybody else it is unknown.
 * I2. One that no request and no open stream was seen of for `idleMs` is ended.
 */
export type Clock = { now(): number };
type Connection = { subject: string | null; streams: number; seenAt: number };

export class Connections {
  readonly #byId = new Map<string, Connection>();
  readonly #clock: Clock;
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: string, subject: string | null): void {
    this.#byId.set(id, { subject, streams: 0, seenAt: this.#clock.now() });
  }
  remove(id: string): void {
    this.#byId.delete(id);
  }
  /** Whether the connection is there and theirs; it was used now. */
  use(id: string, subject: string | null): boolean {
    const found = this.#byId.get(id);
    if (found === undefined || found.subject !== subject) return false;
    found.seenAt = this.#clock.now();
    return true;
  }
  /** A stream of it is open until what this answers is called. */
  stream(id: string): () => void {
    const found = this.#byId.get(id);
    if (found !== undefined) found.streams++;
    return () => {
      if (found === undefined) return;
      found.streams--;
      found.seenAt = this.#clock.now();
    };
  }
  /** The connections that nothing was seen of for `idleMs`. */
  idle(idleMs: number): string[] {
    const since = this.#clock.now() - idleMs;
    return [...this.#byId].filter(([, one]) => one.streams === 0 && one.seenAt <= since).map(([id]) => id);
  }
}
