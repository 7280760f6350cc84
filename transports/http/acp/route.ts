/**
 * ACP's remote transport over HTTP at one path: the SDK's server behind our gate, with what it lacks.
 *
 * I1. A batch is answered with 501, an unknown connection or session with 404, a body that is too long with 413.
 * I2. Streams of headers and bodies are the same over HTTP/1.1 and HTTP/2.
 * I3. A connection that nobody uses ends by itself; there are no more than the server's limit.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { getRequestListener } from "@hono/node-server";
import { facesOf, type Troupe, troupeError } from "../../../actors/troupe.ts";
import { refusal } from "../../acp/framer.ts";
import type { ServeLimits } from "../../serve/limits.ts";
import { Places } from "../../serve/places.ts";
import type { Route } from "../../serve/router.ts";
import { bodyText, TooLarge } from "../body.ts";
import { Connections } from "./connections.ts";
import { type ClientOptions, connector } from "./connector.ts";

const CONNECTION = "acp-connection-id";
const SESSION = "acp-session-id";
const ADDRESS = "http://troupe.invalid/acp";

export type AcpRouteOptions = {
  /** What each client is served with. */
  client: Omit<ClientOptions, "open">;
  open: (subject: string | null) => Promise<Troupe>;
  limits: Pick<
    ServeLimits,
    "connections" | "connectionsPerPrincipal" | "frameBytes" | "unreadBytes" | "stallMs" | "idleMs"
  >;
  now: () => number;
};
export type AcpRoute = { route: Route; close(): Promise<void> };

/** The route, and what ends its connections. */
export function acpRoute({ client, open, limits, now }: AcpRouteOptions): AcpRoute {
  const places = new Places({ max: limits.connections, maxEach: limits.connectionsPerPrincipal });
  const connections = new Connections({ now });
  const server = new AcpServer({
    createAgent: () => {
      throw new Error("every connection brings its own agent");
    },
    maxBufferedBytes: limits.unreadBytes,
    maxOutputStallMs: limits.stallMs,
  });
  const drop = (id: string): Promise<Response> =>
    server.handleRequest(new Request(ADDRESS, { method: "DELETE", headers: { [CONNECTION]: id } }));
  const reaper = setInterval(() => {
    for (const id of connections.idle(limits.idleMs)) void drop(id).finally(() => connections.remove(id));
  }, limits.idleMs / 2);
  reaper.unref();

  const begin = async (request: Request, subject: string | null): Promise<Response> => {
    const giveBack = places.take(subject ?? "");
    if (giveBack === null) return text(503, "too many connections: see --limit connections");
    let id: string | null = null;
    let isGone = false;
    const onGone = (): void => {
      isGone = true;
      giveBack();
      if (id !== null) connections.remove(id);
    };
    const agent = connector({ ...client, open: () => open(subject) }, onGone);
    const response = await server.handleRequest(request, { agent });
    id = response.headers.get(CONNECTION);
    if (id === null) giveBack();
    else if (!isGone) connections.add(id, subject);
    return response;
  };

  const answer = async (request: Request, subject: string | null): Promise<Response> => {
    const id = request.headers.get(CONNECTION);
    if (id === null) {
      if (request.method === "POST") return begin(request, subject);
      const isStream = request.headers.get("accept")?.includes("text/event-stream") === true;
      return request.method === "GET" && !isStream ? upgradeNeeded() : server.handleRequest(request);
    }
    if (!connections.use(id, subject)) return text(404, "Unknown Acp-Connection-Id");
    const session = request.headers.get(SESSION);
    if (session !== null && request.method !== "DELETE") {
      const unknown = await unknownSession(await open(subject), session);
      if (unknown !== null) return unknown;
    }
    if (request.method !== "GET") return server.handleRequest(request);
    const response = await server.handleRequest(request);
    if (response.status !== 200) return response;
    const ended = connections.stream(id);
    request.signal.addEventListener("abort", ended, { once: true });
    return response;
  };

  return {
    route: (incoming, outgoing, subject) =>
      void handle(incoming, outgoing, limits.frameBytes, (one) => answer(one, subject)),
    close: async () => {
      clearInterval(reaper);
      await server.close();
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  maxBytes: number,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const listener = getRequestListener(
    async (bare) => {
      const { method, headers } = bare;
      if (method !== "POST") return answer(new Request(ADDRESS, { method, headers, signal: gone.signal }));
      try {
        const body = await bodyText(incoming, maxBytes);
        if (body.trimStart().startsWith("["))
          return Response.json(refusal(-32600, "Invalid request: batches are not supported"), { status: 501 });
        return await answer(new Request(ADDRESS, { method, headers, body, signal: gone.signal }));
      } catch (error) {
        if (error instanceof TooLarge) return text(413, error.message);
        throw error;
      }
    },
    { overrideGlobalObjects: false },
  );
  await listener(incoming, outgoing);
}

/** What is said of a session that is not there, or somebody else's, would be answered on a stream that cannot be. */
async function unknownSession(troupe: Troupe, session: string): Promise<Response | null> {
  try {
    await troupe.open(session);
    return null;
  } catch (error) {
    const { code, message } = troupeError(error);
    return text(facesOf(code).http, message);
  }
}

const upgradeNeeded = (): Response =>
  new Response("ACP is spoken here on a WebSocket, or in POST requests and streams of events\n", {
    status: 426,
    headers: { upgrade: "websocket" },
  });
const text = (status: number, body: string): Response => new Response(`${body}\n`, { status });
