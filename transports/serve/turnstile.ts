/**
 * Where requests begin: by turns, so that who asks for much at once keeps no other waiting.
 *
 * I1. In one turn of the event loop A_TURN requests begin at most, of connections in rotation. What else is there waits,
 *     and sockets are served in between.
 * I2. Of a connection of HTTP/1.1, whose answers have an order, a request begins when the answer before it is over. One
 *     with more than MOST_WAITING behind it is ended.
 * I3. A request that its client has taken back, or whose client has gone, never begins.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";

const A_TURN = 8;
export const MOST_WAITING = 64;

type Asked = { request: IncomingMessage; response: ServerResponse; begin: () => void };
/** The requests of one connection that wait. */
type Line = { waiting: Asked[]; isBusy: boolean };

export class Turnstile {
  readonly #onTooMany: () => void;
  readonly #lines = new WeakMap<object, Line>();
  /** Those of which one could begin. */
  readonly #next = new Set<Line>();
  #begun = 0;

  /** `onTooMany`: a connection was ended (I2). */
  constructor(onTooMany: () => void) {
    this.#onTooMany = onTooMany;
  }

  /** A request has come; `begin` is called when it is its turn. */
  ask(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    if (isGone(request)) return;
    const line = this.#lineOf(streamOf(request)?.session ?? request.socket);
    if (request.httpVersionMajor === 1 && line.waiting.length >= MOST_WAITING) {
      this.#onTooMany();
      return void request.socket.destroy();
    }
    line.waiting.push({ request, response, begin });
    this.#offer(line);
    this.#turn();
  }

  #lineOf(connection: object): Line {
    const line = this.#lines.get(connection) ?? { waiting: [], isBusy: false };
    this.#lines.set(connection, line);
    return line;
  }
  #offer(line: Line): void {
    if (!line.isBusy && line.waiting.length > 0) this.#next.add(line);
  }
  #turn(): void {
    for (const line of this.#next) {
      if (this.#begun >= A_TURN) return;
      this.#next.delete(line); // and behind the others again
      const asked = line.waiting.shift();
      if (asked !== undefined && !isGone(asked.request)) this.#begin(line, asked);
      this.#offer(line);
    }
  }
  #begin(line: Line, { request, response, begin }: Asked): void {
    if (this.#begun++ === 0)
      setImmediate(() => {
        this.#begun = 0;
        this.#turn();
      });
    if (request.httpVersionMajor === 1) {
      line.isBusy = true;
      response.once("close", () => {
        line.isBusy = false;
        this.#offer(line);
        this.#turn();
      });
    }
    begin();
  }
}

/** Undefined for a request of HTTP/1.1. */
const streamOf = (request: IncomingMessage): ServerHttp2Stream | undefined =>
  (request as { stream?: ServerHttp2Stream }).stream;
function isGone(request: IncomingMessage): boolean {
  const stream = streamOf(request);
  return stream === undefined ? request.socket.destroyed : stream.closed || stream.destroyed;
}
