/**
 * Connections for children to come, opened while a child runs, so that a start waits for none.
 *
 * I1. It gives only what has arrived; where nothing has, a new connection is asked for.
 * I2. What waits in it does not keep our process alive.
 */
import type { Socket } from "node:net";
import type { Pipe, Pipes } from "./pipes.ts";

/** Enough for the pipes of a few starts in a row. */
export const STOCK = 8;

export class Stock {
  readonly #pipes: Pipes;
  readonly #ready: { key: string; socket: Socket }[] = [];
  readonly #coming = new Set<string>();
  constructor(pipes: Pipes) {
    this.#pipes = pipes;
  }

  /** How many wait. */
  get size(): number {
    return this.#ready.length;
  }
  take(): Pipe {
    const one = this.#ready.shift();
    if (one === undefined) return this.#pipes.expectNow();
    one.socket.ref();
    return { key: one.key, socket: Promise.resolve(one.socket) };
  }
  /** The keys of those to open, until it is full. */
  order(): string[] {
    return Array.from({ length: STOCK - this.#ready.length - this.#coming.size }, () => {
      const { key, socket } = this.#pipes.expect();
      this.#coming.add(key);
      void socket.then((arrived) => {
        this.#coming.delete(key);
        arrived.unref(); // I2
        this.#ready.push({ key, socket: arrived });
      });
      return key;
    });
  }
  /** This one will not come. */
  closed(key: string): void {
    this.#coming.delete(key);
    this.#pipes.forget([key]);
  }
  close(): void {
    for (const { socket } of this.#ready.splice(0)) socket.destroy();
  }
}
