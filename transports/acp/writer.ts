/**
 * Newline-delimited JSON out: what is sent in a tick goes out in one write, in the order in which it was sent.
 *
 * I1. A reader that does not read is never waited for: whoever can pause is paused above MAX_HELD_CHARS and resumed
 *     when the output has drained.
 * I2. A closed output ends the writer once; what is sent afterwards is dropped.
 */
import type { Writable } from "node:stream";

export const MAX_HELD_CHARS = 1024 * 1024;

export interface Pausable {
  pause(): void;
  resume(): void;
}

export class LineWriter {
  readonly #output: Writable;
  #lines: string[] = [];
  #held = 0;
  #scheduled = false;
  #blocked = false;
  #closed = false;
  readonly #paused = new Set<Pausable>();
  readonly #onDrained: (() => void)[] = [];

  /** `onClosed` is called once, when nothing can be written any more. */
  constructor(output: Writable, onClosed: () => void) {
    this.#output = output;
    const close = (): void => {
      if (this.#closed) return;
      this.#closed = true;
      this.#drop();
      onClosed();
    };
    output.on("error", close);
    output.on("close", close);
  }

  send(message: object): void {
    this.#line(JSON.stringify(message));
  }
  /** A `session/update`; `update` is the only part that differs from one to the next. */
  update(sessionId: string, update: object): void {
    this.#line(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(sessionId)},"update":${JSON.stringify(update)}}}`,
    );
  }

  /** Writes what is gathered now: who ends a tick's work need not wait for the next one. */
  flush(): void {
    if (this.#blocked || this.#closed || this.#lines.length === 0) return;
    const text = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#held = 0;
    if (this.#output.write(text)) return;
    this.#blocked = true;
    this.#output.once("drain", () => this.#drained());
  }

  /** Pauses a source while the reader is far behind (I1). */
  throttle(source: Pausable): void {
    if (this.#held <= MAX_HELD_CHARS || this.#closed || this.#paused.has(source)) return;
    this.#paused.add(source);
    source.pause();
  }
  /** A source that ends is not resumed. */
  forget(source: Pausable): void {
    this.#paused.delete(source);
  }

  /** Resolves when everything sent so far has been taken by the output, or nothing can be written any more. */
  drained(): Promise<void> {
    this.flush();
    if (this.#closed || !this.#blocked) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
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

  #drained(): void {
    this.#blocked = false;
    this.flush();
    if (this.#blocked) return;
    for (const resolve of this.#onDrained.splice(0)) resolve();
    const sources = [...this.#paused];
    this.#paused.clear();
    for (const source of sources) source.resume();
  }

  #drop(): void {
    this.#lines = [];
    this.#held = 0;
    this.#paused.clear();
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }
}
