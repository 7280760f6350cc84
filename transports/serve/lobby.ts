/**
 * Every connection to the port, and those of them that wait in the lobby: silent ones, and those that are still sending
 * what they ask. A connection that waits there keeps no other out.
 *
 * I1. There are never more than `max` connections. Where one more comes, the one that has waited longest goes, of the
 *     address that has most of them in the lobby; where none waits there, the one that came.
 * I2. Whose request is answered, or who was upgraded, is not in the lobby.
 * I3. The body of a request is there within `bodyMs`, or the request is answered with 408. What a GET or HEAD brings means
 *     nothing, so that nobody else reads it: it is passed over here.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";

type Guest = { socket: Socket; address: string /** Requests that are answered. */; served: number };
export type LobbyOptions = {
  max: number;
  bodyMs: number;
  /** A connection had to go. */
  onFull: () => void;
};

export class Lobby {
  readonly #options: LobbyOptions;
  readonly #guests = new Map<string, Guest>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Guest>();

  constructor(options: LobbyOptions) {
    this.#options = options;
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
    const guest = { socket, address: socket.remoteAddress ?? "", served: 0 };
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
    const serve = (): void => {
      clearTimeout(late);
      isServed = true;
      if (guest !== undefined) this.#serve(guest);
    };
    response.once("close", () => {
      clearTimeout(late);
      if (isServed && guest !== undefined) this.#served(guest);
    });
    let late: NodeJS.Timeout | undefined;
    if (!hasBody(request)) return serve();
    late = setTimeout(() => tooLate(request, response), this.#options.bodyMs);
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
    this.#waiting.delete(guest);
  }
  #served(guest: Guest): void {
    guest.served--;
    if (guest.served === 0 && !guest.socket.destroyed) this.#waiting.add(guest);
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

function tooLate(request: IncomingMessage, response: ServerResponse): void {
  const cut = (): void => {
    const stream = streamOf(request);
    if (stream === undefined) request.destroy();
    else stream.close();
  };
  if (response.headersSent) return cut();
  response.writeHead(408, request.httpVersionMajor === 1 ? { connection: "close" } : {});
  response.end(cut);
}
