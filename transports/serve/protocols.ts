/**
 * One port for HTTP/1.1 and HTTP/2: over TLS the client chooses in its handshake, without TLS by its first bytes.
 *
 * I1. A connection that does not say in time what it speaks is ended.
 * I2. An HTTP/2 connection without a request is ended after IDLE_MS; HTTP/1.1 has its own limit for that.
 * I3. At the end no connection is left.
 * I4. An HTTP/2 connection ends when its client ends it. A server of HTTP/1.1 leaves its connections half open.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  createServer as createH2cServer,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import { Http1Request, readTarget } from "./http1-request.ts";
import type { ServeLimits } from "./limits.ts";
import { Lobby, tooLate } from "./lobby.ts";
import { answerRaw } from "./problem.ts";
import { Turnstile } from "./turnstile.ts";
import { Unreadable } from "./unreadable.ts";

/** Beyond those that are served: those that still send what they ask. */
const HALF_OPEN = 64;
/** How a client begins that speaks HTTP/2 at once; no method of HTTP/1.1 begins so. */
const PREFACE = "PRI * HTTP/2.0";
const TOLD_APART = 3;
const IDLE_MS = 60_000;
const MAX_STREAMS = 128;
/** So many requests a client of HTTP/2 may take back at once, and so many a second; who takes back more is ended. */
const TAKEN_BACK = { streamResetBurst: 2 * MAX_STREAMS, streamResetRate: 33 };
const CHECK_EVERY_MS = 500;

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;
export type Protocols = {
  /** The one that listens; it emits `upgrade`. */
  server: Server;
  /** Cuts whatever is still connected (I3). */
  cut(): void;
};
type ProtocolOptions = {
  tls: { cert: Buffer; key: Buffer } | null;
  limits: ServeLimits;
  answer: Answering;
  /** A connection had to go since there were too many. */
  onFull: () => void;
  /** A connection had to go since it asked for too much at once. */
  onTooMany: () => void;
};

/** A server that does not listen yet. Its `answer` sees requests of both alike. */
export function protocols({ tls, limits, answer, onFull, onTooMany }: ProtocolOptions): Protocols {
  const max = limits.connections + limits.readers + HALF_OPEN;
  const { bodyMs, stallMs } = limits;
  const bodiesBytes = Math.max(limits.bodiesBytes, limits.bodyBytes, limits.frameBytes);
  const lobby = new Lobby({ max, bodyMs, bodiesBytes, stallMs, onFull });
  const turnstile = new Turnstile(onTooMany);
  const unreadable = new Unreadable(limits);
  const http1 = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.handshakeMs,
    requestTimeout: 0, // the lobby's, for HTTP/2 too
    connectionsCheckingInterval: CHECK_EVERY_MS,
    keepAlive: true,
    keepAliveInitialDelay: limits.pingMs,
  };
  const settings = { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: limits.headerBytes };
  // The compatible objects of node:http2 are used as far as they are the same.
  const either = (request: Http2ServerRequest | IncomingMessage, response: Http2ServerResponse | ServerResponse) => {
    const [asked, told] = [request as IncomingMessage, response as ServerResponse];
    turnstile.ask(asked, told, () => {
      readTarget(asked);
      unreadable.begun(asked, told);
      lobby.asked(asked, told);
      answer(asked, told);
    });
  };
  const server =
    tls === null
      ? withH2c(
          createServer({ ...http1, IncomingMessage: Http1Request }, either),
          createH2cServer({ settings, ...TAKEN_BACK }, either).on("session", endIdle),
          limits,
        )
      : (createSecureServer(
          {
            ...{ ...http1, ...tls, settings, ...TAKEN_BACK, handshakeTimeout: limits.handshakeMs },
            ...{ allowHTTP1: true, Http1IncomingMessage: Http1Request },
          },
          either,
        ).on("session", endIdle) as unknown as Server);
  server.headersTimeout = limits.handshakeMs;
  server.on("connection", (socket: Socket) => lobby.enter(socket));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => unreadable.met(error, socket));
  server.on("upgrade", (request: IncomingMessage) => {
    readTarget(request);
    lobby.upgraded(request.socket);
  });
  return { server, cut: () => lobby.cut() };
}

/** Looks at the first bytes of each connection and gives it to the server that speaks so. */
function withH2c(server: Server, h2c: ReturnType<typeof createH2cServer>, { handshakeMs }: ServeLimits): Server {
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    let seen = Buffer.alloc(0);
    const late = setTimeout(() => answerRaw(socket, tooLate("head", handshakeMs)), handshakeMs);
    const forget = (): void => clearTimeout(late);
    const ignore = (): void => undefined;
    const look = (bytes: Buffer): void => {
      seen = Buffer.concat([seen, bytes]);
      const head = seen.toString("latin1", 0, PREFACE.length);
      if (seen.length < TOLD_APART && PREFACE.startsWith(head)) return;
      forget();
      socket.off("data", look).off("close", forget).off("error", ignore).pause();
      socket.unshift(seen);
      if (head.startsWith(PREFACE.slice(0, TOLD_APART))) {
        socket.allowHalfOpen = false; // I4
        h2c.emit("connection", socket);
      } else for (const listener of listeners) listener.call(server, socket);
      process.nextTick(() => socket.resume());
    };
    socket.on("data", look).on("close", forget).on("error", ignore);
  });
  return server;
}

/** I2. */
function endIdle(session: ServerHttp2Session): void {
  let streams = 0;
  session.on("stream", (stream) => {
    streams++;
    stream.once("close", () => streams--);
  });
  session.on("error", () => undefined); // its close says the same
  session.setTimeout(IDLE_MS, () => {
    if (streams === 0) session.close();
  });
}
