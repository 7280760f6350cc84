/**
 * ACP's remote transport over HTTP at one path: the SDK's server behind our gate, with what it lacks.
 *
 * I1. A batch is answered with 501, an unknown connection or session with 404, a body that is too long with 413,
 *     one that is too deep or holds too much with 400. What is no message of JSON-RPC is a problem, as in the API.
 * I2. Streams of headers and bodies are the same over HTTP/1.1 and HTTP/2.
 * I3. An idle connection ends by itself; there are no more than the server's limit, and one without a stream
 *     makes room for who comes.
 * I4. A message that its client does not name a session for is taken by what it says itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { shapeFault } from "../../../actors/acp-client/shape.ts";
import type { Troupe } from "../../../actors/troupe.ts";
import { misshapen, refusal } from "../../acp/framer.ts";
import { whenClosed } from "../../serve/closed.ts";
import type { ServeLimits } from "../../serve/limits.ts";
import { Quota } from "../../serve/quota.ts";
import type { Route } from "../../serve/router.ts";
import { bodyText, CutOff, NoText, TooLarge } from "../body.ts";
import { belongingOf, Questions } from "./belonging.ts";
import { Carrier } from "./carrier.ts";
import { Connections, type Kept } from "./connections.ts";
import { type ClientOptions, connector } from "./connector.ts";
import { asProblem, NO_CONNECTION, refusedAs, refusedBy, refusedWith, unanswerable } from "./refusals.ts";

const CONNECTION = "acp-connection-id";
const SESSION = "acp-session-id";
const STREAM = "text/event-stream";
const METHODS = ["GET", "POST", "DELETE"];
const ADDRESS = "http://troupe.invalid/acp";

export type AcpRouteOptions = {
  /** What each client is served with. */
  client: Omit<ClientOptions, "open">;
  open: (subject: string | null) => Promise<Troupe>;
  limits: Pick<
    ServeLimits,
    "connections" | "connectionsPerPrincipal" | "frameBytes" | "unreadBytes" | "stallMs" | "idleMs"
  >;
  /** The places of those who read a stream. */
  readers: Quota;
  now: () => number;
};
export type AcpRoute = { route: Route; close(): Promise<void> };

/** The route, and what ends its connections. */
export function acpRoute({ client, open, limits, readers, now }: AcpRouteOptions): AcpRoute {
  const places = new Quota({ max: limits.connections, maxEach: limits.connectionsPerPrincipal });
  const connections = new Connections(now);
  const server = new AcpServer({
    createAgent: () => {
      throw new Error("every connection brings its own agent");
    },
    maxBufferedBytes: limits.unreadBytes,
    maxOutputStallMs: limits.stallMs,
  });
  const drop = async (id: string): Promise<void> => {
    const gone = connections.remove(id);
    await server.handleRequest(new Request(ADDRESS, { method: "DELETE", headers: { [CONNECTION]: id } }));
    await gone;
  };
  const reaper = setInterval(() => {
    for (const id of connections.idle(limits.idleMs)) void drop(id);
  }, limits.idleMs / 4);
  reaper.unref();
  const place = async (subject: string | null): Promise<(() => void) | null> => {
    const free = places.take(subject ?? "");
    const left = free === null ? connections.streamless(subject, places.lacking(subject ?? "")) : null;
    if (left === null) return free;
    await drop(left);
    return places.take(subject ?? "");
  };

  const begin = async (request: Request, subject: string | null): Promise<Response> => {
    const giveBack = await place(subject);
    if (giveBack === null)
      return refusedWith(503, "USER.SERVE.TOO_MANY", "too many connections: see --limit connections");
    const gone = Promise.withResolvers<void>();
    let id: string | null = null;
    let isGone = false;
    const onGone = (): void => {
      isGone = true;
      giveBack();
      gone.resolve();
      if (id !== null) void connections.remove(id);
    };
    const questions = new Questions();
    const agent = connector({ ...client, open: () => open(subject) }, questions, onGone);
    const response = await server.handleRequest(request, { agent }).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    id = response.headers.get(CONNECTION);
    if (id === null) giveBack();
    else if (!isGone) {
      const head = { accept: STREAM, [CONNECTION]: id };
      const stream = (session: string): Promise<Response> =>
        server.handleRequest(new Request(ADDRESS, { headers: { ...head, [SESSION]: session } }));
      connections.add(id, subject, { questions, carrier: new Carrier(stream), gone: gone.promise });
    }
    return response;
  };

  /** What a client posts on its connection. */
  const take = async (request: Request, body: string, kept: Kept, subject: string | null): Promise<Response> => {
    const headers = new Headers(request.headers);
    const named = headers.get(SESSION);
    const belonging = named === null ? belongingOf(body, kept.questions) : null;
    const session = named ?? belonging?.session ?? null;
    if (session === null) return server.handleRequest(posted(request, headers, body));
    const unknown = await unknownSession(open(subject), session);
    if (unknown !== null) return unknown;
    if (belonging !== null) {
      headers.set(SESSION, session);
      if (belonging.id !== undefined && !(await kept.carrier.carry(session, belonging.id)))
        return refusedAs("USER.SERVE.TOO_MANY", "too many sessions without a stream: open theirs");
    }
    return server.handleRequest(posted(request, headers, body));
  };

  /** A stream of a connection or of one of its sessions. */
  const follow = async (request: Request, { carrier }: Kept, subject: string | null): Promise<Response> => {
    const session = request.headers.get(SESSION);
    if (session !== null) {
      const unknown = await unknownSession(open(subject), session);
      if (unknown !== null) return unknown;
      if (carrier.carries(session) && isStream(request)) return carrier.session(session);
    }
    const response = await server.handleRequest(request);
    if (response.status !== 200 || response.body === null || session !== null) return response;
    return new Response(carrier.connection(response.body), { status: 200, headers: response.headers });
  };

  const answer: Answer = async (request, body, { subject, gone, isHttp1 }) => {
    const id = request.headers.get(CONNECTION);
    const { method } = request;
    if (id === null) {
      if (method === "POST") return unanswerable(body) ?? begin(posted(request, request.headers, body), subject);
      return method === "GET" && !isStream(request) ? upgradeNeeded(isHttp1) : server.handleRequest(request);
    }
    const kept = connections.use(id, subject);
    if (kept === null) return refusedAs("USER.SERVE.NO_SUCH_CONNECTION", NO_CONNECTION);
    if (method === "POST") return take(request, body, kept, subject);
    if (method !== "GET") return server.handleRequest(request);
    const giveBack = readers.take(subject ?? "");
    if (giveBack === null) return refusedAs("USER.SERVE.TOO_MANY", "too many streams: see --limit readers");
    const response = await follow(request, kept, subject).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    const ended = response.status === 200 ? connections.stream(id) : () => undefined;
    const over = (): void => {
      giveBack();
      ended();
    };
    if (response.status === 200 && !gone.aborted) gone.addEventListener("abort", over, { once: true });
    else over();
    return response;
  };

  return {
    route: (incoming, outgoing, subject) => {
      const isHttp1 = incoming.httpVersionMajor === 1;
      return handle(incoming, outgoing, limits.frameBytes, async (one, body, gone) =>
        asProblem(await answer(one, body, { subject, gone, isHttp1 })),
      );
    },
    close: async () => {
      clearInterval(reaper);
      await server.close();
    },
  };
}

/** `gone`: the client has hung up. The request's own signal says so only as long as something holds the request. */
type Answer = (
  request: Request,
  body: string,
  from: { subject: string | null; gone: AbortSignal; isHttp1: boolean },
) => Promise<Response>;

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  maxBytes: number,
  answer: (request: Request, body: string, gone: AbortSignal) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  whenClosed(outgoing, () => gone.abort());
  const listener = getRequestListener(
    async (bare) => {
      const { method, headers } = bare;
      // Of some methods, as TRACE, no request of the web can be made.
      if (!METHODS.includes(method))
        return refusedWith(405, "USER.SERVE.METHOD", `expected ${METHODS.join(" or ")} here`, {
          allow: METHODS.join(", "),
        });
      const request = new Request(ADDRESS, { method, headers, signal: gone.signal });
      if (method !== "POST") return answer(request, "", gone.signal);
      try {
        const body = await bodyText(incoming, maxBytes);
        if (body.trimStart().startsWith("["))
          return Response.json(refusal(-32600, "Invalid request: batches are not supported"), { status: 501 });
        const fault = shapeFault(body);
        if (fault === null) return await answer(request, body, gone.signal);
        return Response.json(misshapen(fault), { status: 400 });
      } catch (error) {
        if (error instanceof TooLarge) return refusedAs("USER.ACP.MESSAGE_TOO_LARGE", error.message);
        if (error instanceof NoText) return refusedAs("USER.SERVE.INVALID_REQUEST", error.message);
        if (error instanceof CutOff) return RESPONSE_ALREADY_SENT;
        throw error;
      }
    },
    { overrideGlobalObjects: false },
  );
  await listener(incoming, outgoing);
}

/**
 * What is said of a session that is not there, or another principal's, would be answered on a stream that cannot be.
 */
async function unknownSession(opened: Promise<Troupe>, session: string): Promise<Response | null> {
  try {
    await (await opened).open(session);
    return null;
  } catch (error) {
    return refusedBy(error);
  }
}

const posted = ({ signal }: Request, headers: Headers, body: string): Request =>
  new Request(ADDRESS, { method: "POST", headers, body, signal });
const isStream = ({ headers }: Request): boolean => headers.get("accept")?.includes(STREAM) === true;
/** HTTP/2 has no upgrade, and Node throws where its header is to be sent there. */
const upgradeNeeded = (isHttp1: boolean): Response =>
  refusedWith(
    426,
    "USER.SERVE.UPGRADE_NEEDED",
    "ACP is spoken here on a WebSocket, or in POST requests and streams of events",
    isHttp1 ? { upgrade: "websocket" } : {},
  );
