/**
 * What a browser gets, so that a page of another origin may read our answers.
 *
 * I1. Only an origin that the gate has let in is named, word for word; never all of them.
 * I2. A browser asks before it sends what a form could not (a preflight), and sends no token with that question.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { headerValues } from "./hosts.ts";

const METHODS = "GET, POST, DELETE";
const TAKEN = [
  ...["authorization", "content-type", "last-event-id"],
  ...["acp-connection-id", "acp-session-id", "acp-protocol-version"],
  ...["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"],
].join(", ");
const SHOWN = "acp-connection-id, location, mcp-session-id";
const KNOWN_FOR_S = "600";

type Head = Pick<IncomingMessage, "method" | "rawHeaders">;

/** Whether a browser asks what it may send (I2). */
export const isPreflight = (request: Head): boolean =>
  request.method === "OPTIONS" &&
  headerValues(request, "origin").length === 1 &&
  headerValues(request, "access-control-request-method").length === 1;

/** For a request whose origin was let in. */
export function allowOrigin(request: Head, response: ServerResponse): void {
  const [origin] = headerValues(request, "origin");
  if (origin === undefined) return;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", SHOWN);
  response.setHeader("vary", "origin");
}

/** The answer to a preflight that was let in. */
export function answerPreflight(request: Head, response: ServerResponse): void {
  allowOrigin(request, response);
  response.writeHead(204, {
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": TAKEN,
    "access-control-max-age": KNOWN_FOR_S,
  });
  response.end();
}
