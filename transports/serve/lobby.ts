/**
 * Every connection to the port, and those of them that wait in the lobby: silent ones, and those that are still sending
 * what they ask. A connection that waits there keeps no other out.
 *
 * I1. There are never more than `max` connections. Where one more comes, the one that has waited longest goes, of the
 *     address that has most of them in the lobby; where none waits there, the one that came.
 * I2. Whose request is being answered, or who was upgraded, is not in the lobby.
 * I3. The body of a request is there within `bodyMs`, or the request is answered with 408. What a GET or HEAD brings means
 *     nothing, so that nobody else reads it: it is passed over here.
 *     Of bodies that are too much together the largest is answered with 503.
 * I4. An answer that was given whole, and of which nothing was taken for UNREAD_MS, keeps its reader in the lobby; after
 *     `stallMs` more it is cut.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { Bodies } from "./bodies.ts";
import { hasClosed, whenClosed } from "./closed.ts";
import { PROBLEM_TYPE, type Problem, problemBody } from "./problem.ts";

const UNREAD_MS = 1_000;

type Guest = {
  socket: Socket;
  address: string;
  /** Requests that are answered, those among them whose answers are left unread too. */
  served: number;
  unread: number;
};
export type LobbyOptions = {
  max: number;
  bodyMs: number;
  /** Of all bodies that are still coming. */
  bodiesBytes: number;
  stallMs: number;
  /** A connection had to go. */
  onFull: () => void;
};

export class Lobby {
  readonly #options: LobbyOptions;
  readonly #bodies: Bodies;
  readonly #guests = new Map<string, Guest>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Guest>();

  constructor(options: LobbyOptions) {
    this.#options = options;
    this.#bodies = new Bodies(options.bodiesBytes);
  }

  /** A connection has come. */
  enter(socket: Socket): void {
    if (this.#guests.size >= this.#options.max) {
      this.#options.onFull();
      const oldest = this.#oldest();
      if (oldest === null) return void socket.destroy();
      this.#leave(oldest);
      oldest.socket.destroy();
    }
    const key = keyOf(socket);
    const guest = { socket, address: socket.remoteAddress ?? "", served: 0, unread: 0 };
    this.#guests.set(key, guest);
    this.#waiting.add(guest);
    socket.once("close", () => {
      if (this.#guests.get(key) === guest) this.#guests.delete(key);
      this.#waiting.delete(guest);
    });
  }

  /** A request has come; its body may not be there yet. */
  asked(request: IncomingMessage, response: ServerResponse): void {
    const guest = this.#guests.get(keyOf(request.socket));
    let isServed = false;
    let isUnread = false;
    const serve = (): void => {
      clearTimeout(late);
      if (hasClosed(response)) return; // answered, or taken back, before its body was there: it waits again
      isServed = true;
      if (guest !== undefined) this.#serve(guest);
    };
    let late: NodeJS.Timeout | undefined;
    whenClosed(response, () => {
      clearTimeout(late);
      if (guest === undefined) return;
      if (isServed) guest.served--;
      if (isUnread) guest.unread--;
      this.#settle(guest);
    });
    response.on("timeout", () => {
      if (!response.writableEnded) return; // who reads a stream is looked after where it is written
      if (isUnread) return void response.destroy();
      isUnread = true;
      if (guest !== undefined) this.#leftUnread(guest, request.httpVersionMajor === 1);
      response.setTimeout(this.#options.stallMs);
    });
    response.setTimeout(UNREAD_MS);
    if (!hasBody(request)) return serve();
    const { bodyMs } = this.#options;
    late = setTimeout(() => cutShort(request, response, tooLate("body", bodyMs)), bodyMs);
    this.#bodies.count(request, response, () => cutShort(request, response, TOO_MUCH));
    request.once("end", serve);
    if (request.method === "GET" || request.method === "HEAD") request.resume();
  }
  /** A connection is upgraded. */
  upgraded(socket: Pick<Socket, "remoteAddress" | "remotePort">): void {
    const guest = this.#guests.get(keyOf(socket));
    if (guest !== undefined) this.#serve(guest);
  }
  /** Cuts all that are still there. */
  cut(): void {
    for (const { socket } of this.#guests.values()) socket.destroy();
  }

  #serve(guest: Guest): void {
    guest.served++;
    this.#settle(guest);
  }
  /** `isFirst`: what else is answered on this connection comes after it. */
  #leftUnread(guest: Guest, isFirst: boolean): void {
    guest.unread++;
    if (isFirst) this.#waiting.add(guest);
    else this.#settle(guest);
  }
  #settle(guest: Guest): void {
    if (guest.served > guest.unread) this.#waiting.delete(guest);
    else if (this.#guests.get(keyOf(guest.socket)) === guest) this.#waiting.add(guest);
  }
  #leave(guest: Guest): void {
    this.#waiting.delete(guest);
    this.#guests.delete(keyOf(guest.socket));
  }
  #oldest(): Guest | null {
    const counts = new Map<string, number>();
    for (const { address } of this.#waiting) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(0, ...counts.values());
    for (const guest of this.#waiting) if (counts.get(guest.address) === most) return guest;
    return null;
  }
}

/** The same for a connection with TLS and what is below it, and for a stream of HTTP/2. */
const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string =>
  `${remoteAddress} ${remotePort}`;

const streamOf = (request: IncomingMessage): ServerHttp2Stream | undefined =>
  (request as { stream?: ServerHttp2Stream }).stream;

function hasBody(request: IncomingMessage): boolean {
  const stream = streamOf(request);
  if (stream !== undefined) return !stream.endAfterHeaders;
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  return length !== "0" || encoding !== undefined;
}

const TOO_MUCH = problemBody(
  "USER.SERVE.TOO_MANY",
  503,
  "the bodies of all requests are too much together: send it again in a while, or see --limit bodiesBytes",
);

/** What is said to a request of which this part was not there in time. */
export const tooLate = (part: "body" | "head", ms: number): Problem =>
  problemBody(
    "USER.SERVE.TOO_SLOW",
    408,
    `the ${part} of the request did not come within ${ms / 1000} s: send it again, or see --limit ${LIMIT_OF[part]}`,
  );
const LIMIT_OF = { body: "bodyMs", head: "handshakeMs" };

/** Its body is not waited for any longer. */
function cutShort(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const cut = (): void => {
    const stream = streamOf(request);
    if (stream === undefined) request.destroy();
    else setImmediate(() => stream.close()); // Node 26 closes it before the answer has gone out
  };
  if (response.headersSent) return cut();
  const connection = request.httpVersionMajor === 1 ? { connection: "close" } : {};
  response.writeHead(problem.status, { "content-type": PROBLEM_TYPE, ...connection });
  response.end(JSON.stringify(problem), cut);
}
