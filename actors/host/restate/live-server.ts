/**
 * The port on which others follow what work of this process says.
 *
 * I1. Who has no token of a session learns nothing: not even whether there is such a session.
 * I2. A reader has nothing to send; one that does not read is passed over, and costs what its socket holds.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Key } from "../../../machines/model.ts";
import type { LivePlace } from "../../base/engine-port.ts";
import type { LiveOut } from "./live-out.ts";

const MAX_READERS = 1_024;
const HEAD_MS = 5_000;
const PATH = "/live/";

/** Resolves when it listens; the answer ends it. */
export async function serveLive(out: LiveOut, { host, port, uri }: LivePlace): Promise<() => void> {
  const server = createServer(
    { headersTimeout: HEAD_MS, requestTimeout: HEAD_MS, maxHeaderSize: 8_192 },
    (asked, answer) => follow(out, asked, answer),
  );
  server.maxConnections = MAX_READERS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve());
  });
  const address = server.address();
  const own = `http://${host.includes(":") ? `[${host}]` : host}:${typeof address === "object" ? address?.port : port}`;
  out.at(uri ?? own);
  return () => {
    out.at(null);
    server.close();
    server.closeAllConnections();
  };
}

function follow(out: LiveOut, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, url = "", headers } = asked;
  const session = method === "GET" && url.startsWith(PATH) ? sessionOf(url.slice(PATH.length)) : null;
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
  if (session === null || token === undefined || !out.opens(session, token)) {
    answer.writeHead(404, { connection: "close" }).end(); // I1
    return;
  }
  asked.socket.setKeepAlive(true, HEAD_MS);
  answer.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  answer.flushHeaders();
  const leave = out.follow(session, (frame) => {
    if (!answer.writableNeedDrain) answer.write(`${JSON.stringify(frame)}\n`); // I2
  });
  answer.on("close", leave);
}

function sessionOf(text: string): Key | null {
  try {
    return decodeURIComponent(text) as Key;
  } catch {
    return null;
  }
}
