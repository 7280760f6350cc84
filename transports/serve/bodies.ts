/**
 * The bodies of requests that are still coming, of all connections together: one connection of HTTP/2 can bring many.
 *
 * I1. No more than `max` bytes are held of them. Where one more piece comes, the largest of them is given up, and nothing
 *     more of it is taken: nobody reads a body that lacks its end.
 * I2. A body that is whole, or whose request is over, is none of them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export class Bodies {
  readonly #max: number;
  readonly #coming = new Map<IncomingMessage, { bytes: number; giveUp: () => void }>();
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts what comes of a body, before anybody reads it. `giveUp` ends its request. */
  count(request: IncomingMessage, response: ServerResponse, giveUp: () => void): void {
    let isGivenUp = false;
    const stop = (): void => {
      isGivenUp = true;
      giveUp();
    };
    this.#coming.set(request, { bytes: 0, giveUp: stop });
    response.once("close", () => this.#forget(request));
    const push = request.push.bind(request);
    request.push = (piece: Buffer | null, ...rest) => {
      if (piece === null) this.#forget(request);
      else this.#take(request, piece.length);
      return isGivenUp || push(piece, ...rest);
    };
  }

  #take(request: IncomingMessage, bytes: number): void {
    const body = this.#coming.get(request);
    if (body === undefined) return;
    body.bytes += bytes;
    this.#held += bytes;
    while (this.#held > this.#max) this.#largest();
  }
  #largest(): void {
    const [largest] = [...this.#coming].sort(([, one], [, other]) => other.bytes - one.bytes);
    if (largest === undefined) return;
    const [request, { giveUp }] = largest;
    this.#forget(request);
    giveUp();
  }
  #forget(request: IncomingMessage): void {
    this.#held -= this.#coming.get(request)?.bytes ?? 0;
    this.#coming.delete(request);
  }
}
