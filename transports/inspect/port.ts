/**
 * A port for receivers of Stately's inspector: a WebSocket that reports what this process's durable machines do. It
 * hears nothing: a receiver can change nothing.
 *
 * I1. It listens on 127.0.0.1, and nowhere else.
 * I2. Its address holds a word of 256 bits, and no receiver comes in without it: other users of this machine can
 *     connect to the port too. A receiver knows nothing but an address, so the word stands there, and the address is
 *     shown to the user alone (`actors/facade/inspected.ts`).
 * I3. A request calls us by a name of this machine. A page comes in only from the one origin that was named, by default
 *     from none.
 * I4. What a receiver sends is not read; one that sends much is cut off. One that takes nothing costs what `reader.ts`
 *     keeps for it, and is given up.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { gateOf } from "../serve/admission.ts";
import { ServeFault } from "../serve/fault.ts";
import { digestOf } from "../serve/secret-digest.ts";
import type { Observed } from "./observed.ts";

const HOST = "127.0.0.1";
const MOST_CONNECTIONS = 16;
const MOST_HEARD_BYTES = 1_024;
const HEADER_BYTES = 8 * 1024;
const HANDSHAKE_MS = 5_000;
const TRY_AGAIN = 1013;
const GOING_AWAY = 1001;

export type PortOptions = {
  observed: Observed;
  /** The origin of the one page that may connect. */
  origin: string | null;
};
export type InspectionPort = {
  /** For receivers: it is the credential. */
  address: string;
  /** Sends every receiver what it waits for, says goodbye and gives the port up. */
  close(): Promise<void>;
};
type Refusal = { status: number; why: string };

/** Resolves when the port is open. Throws USER.SERVE.LISTEN. */
export async function openInspectionPort({ observed, origin }: PortOptions): Promise<InspectionPort> {
  const word = randomBytes(32).toString("base64url");
  const digest = digestOf(word);
  let port = 0;
  const gate = gateOf({
    naming: () => ({ port, defaultPort: 80, allowed: [], ownAddresses: false }),
    origins: origin === null ? [] : [origin],
    tokens: null,
  });
  const refusalOf = (request: IncomingMessage): Refusal | null => {
    const admission = gate(request);
    if (!admission.admitted) return { status: 403, why: "neither this name nor this origin may connect here" };
    const isKnown = timingSafeEqual(digestOf(pathOf(request).slice(1)), digest);
    return isKnown ? null : { status: 401, why: "this is not the address that `troupe inspect` shows" };
  };

  const server = createServer(
    { maxHeaderSize: HEADER_BYTES, headersTimeout: HANDSHAKE_MS, requestTimeout: HANDSHAKE_MS },
    (request, response) => {
      const refusal = refusalOf(request) ?? (request.method === "GET" ? null : { status: 405, why: "expected GET" });
      const head = { "x-content-type-options": "nosniff", "cache-control": "no-store", connection: "close" };
      if (refusal !== null) {
        response.writeHead(refusal.status, { ...head, "content-type": "text/plain; charset=utf-8" });
        return void response.end(`${refusal.why}\n`);
      }
      response.writeHead(200, { ...head, "content-type": "application/json" });
      response.end(JSON.stringify({ pid: process.pid, sessions: observed.sessions() }));
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MOST_HEARD_BYTES });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined);
    const refusal = refusalOf(request);
    if (refusal !== null) return refuse(socket, refusal);
    const session = new URL(request.url ?? "/", "http://here").searchParams.get("session");
    wss.handleUpgrade(request, socket, head, (ws) => serve(ws, socket, { observed, session }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new ServeFault("USER.SERVE.LISTEN", `cannot listen on ${HOST} to be inspected: ${error.message}`)),
    );
    server.listen({ host: HOST, port: 0 }, resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    address: `ws://${HOST}:${port}/${word}`,
    close: async () => {
      observed.last();
      const closed = new Promise((resolve) => server.close(resolve));
      const gone = [...wss.clients].map((ws) => new Promise((resolve) => ws.once("close", resolve)));
      for (const ws of wss.clients) ws.close(GOING_AWAY, "the process that was inspected ends");
      const late = setTimeout(() => {
        for (const ws of wss.clients) ws.terminate();
      }, HANDSHAKE_MS);
      await Promise.all(gone);
      clearTimeout(late);
      server.closeAllConnections();
      await closed;
    },
  };
}

function serve(
  ws: WebSocket,
  socket: Duplex,
  { observed, session }: { observed: Observed; session: string | null },
): void {
  const { end, free } = observed.follow({
    session,
    send: (text) => {
      ws.send(text);
      return !socket.writableNeedDrain;
    },
    together: (sends) => {
      socket.cork();
      sends();
      socket.uncork();
    },
    tooSlow: () => ws.close(TRY_AGAIN, "too much was not read: connect again"),
  });
  socket.on("drain", free);
  ws.on("error", () => undefined); // its close says the same
  ws.on("close", end);
}

const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1)[0] as string;

function refuse(socket: Duplex, { status, why }: Refusal): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(why) + 1}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${why}\n`, () => socket.destroy());
}
