/**
 * Messages out: what is sent in a tick goes out together, in the order in which it was sent, whatever carries it.
 *
 * I1. A reader that does not read is never waited for: a source that can pause is paused above MAX_HELD_CHARS and resumed
 *     when the carrier is free again.
 * I2. A carrier that has closed ends the writer once; what is sent afterwards is dropped, and its sender hears it.
 * I3. An answer goes out, with all that was sent before it, as soon as what runs now has run. In the next turn of the event
 *     loop timers and news of other processes would come first.
 */
import { UpdateLines } from "./update-lines.ts";

export const MAX_HELD_CHARS = 1024 * 1024;

/** There is no client to send to. */
export class NotConnected extends Error {
  readonly code = "SYSTEM.CLIENT.NOT_CONNECTED";
  constructor() {
    super("the client is not connected: what is sent to it goes nowhere");
  }
}

export interface Pausable {
  pause(): void;
  resume(): void;
}

export abstract class Outgoing {
  readonly #onClosed: () => void;
  #lines: string[] = [];
  #held = 0;
  #scheduled = false;
  /** An answer waits to go out (I3). */
  #isAnswering = false;
  #blocked = false;
  #closed = false;
  readonly #updates = new UpdateLines();
  readonly #paused = new Set<Pausable>();
  readonly #onDrained: (() => void)[] = [];

  /** `onClosed` is called once, when nothing can be written any more. */
  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  /**
   * Hands messages to the carrier, from the first on; answers how many it has taken. When it is full, or has not taken
   * all, it calls `free` later and `isFull` holds until then.
   */
  protected abstract carry(lines: readonly string[]): number;
  protected abstract get isFull(): boolean;

  /** Whether a message is waiting for its reader. */
  get isBlocked(): boolean {
    return this.#blocked;
  }
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Answers why it was not taken, where no client is left. */
  send(message: object): NotConnected | null {
    if (this.#closed) return new NotConnected();
    this.#line(JSON.stringify(message));
    if (isAnswer(message)) this.#flushSoon();
    return null;
  }
  /** A `session/update`; `update` is the only part that differs from one to the next. */
  update(sessionId: string, update: object): void {
    this.#line(this.#updates.of(sessionId, update));
  }

  /** Writes what is gathered now: who ends a tick's work need not wait for the next one. */
  readonly flush = (): void => {
    if (this.#blocked || this.#closed || this.#lines.length === 0) return;
    const lines = this.#lines;
    const taken = this.carry(lines);
    if (taken === lines.length) {
      this.#lines = [];
      this.#held = 0;
    } else {
      for (let i = 0; i < taken; i++) this.#held -= (lines[i] as string).length;
      this.#lines = lines.slice(taken);
    }
    this.#blocked = this.isFull;
  };

  /** Pauses a source while the reader is far behind (I1). */
  throttle(source: Pausable): void {
    if (this.#held > MAX_HELD_CHARS) this.flush();
    if (this.#held <= MAX_HELD_CHARS || this.#closed || this.#paused.has(source)) return;
    this.#paused.add(source);
    source.pause();
  }
  /** A source that ends is not resumed. */
  forget(source: Pausable): void {
    this.#paused.delete(source);
  }

  /** Resolves when everything sent so far has been taken by the carrier, or nothing can be written any more. */
  drained(): Promise<void> {
    this.flush();
    if (this.#closed || !this.#blocked) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  /** For the carrier: it takes more. */
  protected free(): void {
    if (!this.#blocked || this.#closed) return;
    this.#blocked = false;
    this.flush();
    if (this.#blocked) return;
    for (const resolve of this.#onDrained.splice(0)) resolve();
    const sources = [...this.#paused];
    this.#paused.clear();
    for (const source of sources) source.resume();
  }
  /** For the carrier: it takes nothing any more. */
  protected end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#lines = [];
    this.#held = 0;
    this.#paused.clear();
    for (const resolve of this.#onDrained.splice(0)) resolve();
    this.#onClosed();
  }

  #flushSoon(): void {
    if (this.#isAnswering || this.#blocked) return;
    this.#isAnswering = true;
    process.nextTick(() => {
      this.#isAnswering = false;
      this.flush();
    });
  }
  #line(line: string): void {
    if (this.#closed) return;
    this.#lines.push(line);
    this.#held += line.length;
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}

const isAnswer = (message: object): boolean => "id" in message && !("method" in message);
