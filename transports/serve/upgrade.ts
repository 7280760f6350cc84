/**
 * Upgrades to a socket. A connection exists only when its upgrade was let in.
 *
 * I1. Path, gate and number of connections are looked at before the upgrade is answered; what is refused is answered
 *     in plain HTTP, with a problem as elsewhere, and costs nothing after it.
 * I2. A place that is held by who has not initialised is given to who comes, the one held longest first.
 * I3. Of a connection one message is taken in a turn of the event loop: who sends many at once keeps no other waiting.
 * I4. Of the subprotocols that are offered one of ACP is taken, or else the first: a browser ends a connection whose
 *     offer is not answered, and the SDK's client there offers "undefined". A token is not repeated in the answer.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import type { AdmissionCheck, Admitted } from "./admission.ts";
import type { ServeLimits } from "./limits.ts";
import { answerRaw, problemBody } from "./problem.ts";
import { Quota } from "./quota.ts";
import { pathOf } from "./router.ts";
import { BEARER_PROTOCOL } from "./tokens.ts";

const ID_HEADER = "Acp-Connection-Id";
const OWN_PROTOCOL = /^acp(\.v1)?$/i;
/** What else is said with a refusal of this status. */
const HEADERS: { readonly [status: number]: readonly string[] } = {
  400: ["Sec-WebSocket-Version: 13"],
  401: ["WWW-Authenticate: Bearer"],
  405: ["Allow: GET"],
};

export type UpgradeOptions = {
  paths: readonly string[];
  gate: AdmissionCheck;
  limits: ServeLimits;
  /** Notes what was refused. */
  refused: (what: string) => void;
  /** Ends a connection that has not initialised: one of theirs, or where places of all are lacking and they have none, any. */
  makeRoom: (subject: string | null, lacking: "own" | "all") => Promise<void>;
  isClosing: () => boolean;
  accept: (ws: WebSocket, socket: Duplex, admission: Pick<Admitted, "subject" | "token">) => void;
};

/** Takes upgrades of this server. */
export function takeUpgrades(server: Server, options: UpgradeOptions): void {
  const { paths, gate, limits, refused, makeRoom, isClosing, accept } = options;
  const places = new Quota({ max: limits.connections, maxEach: limits.connectionsPerPrincipal });
  const ids = new WeakMap<IncomingMessage, string>();
  // `closeTimeout` is not in the types of ws yet.
  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    allowSynchronousEvents: false, // I3
    maxPayload: limits.frameBytes,
    closeTimeout: limits.closeMs,
    handleProtocols: (offered) => {
      const names = [...offered].filter((name) => !name.startsWith(BEARER_PROTOCOL));
      return names.find((name) => OWN_PROTOCOL.test(name)) ?? names[0] ?? false; // I4
    },
  };
  const wss = new WebSocketServer(settings);
  wss.on("headers", (headers, request) => headers.push(`${ID_HEADER}: ${ids.get(request)}`));

  const no = (socket: Duplex, status: number, code: string, why: string): void => {
    refused(`refused a connection: ${why}`);
    answerRaw(socket, problemBody(code, status, why), HEADERS[status]);
  };
  // Its headers are not those of an upgrade to a WebSocket.
  wss.on("wsClientError", ({ message }, socket) =>
    no(socket, 400, "USER.SERVE.INVALID_REQUEST", `expected the upgrade to a WebSocket of version 13: ${message}`),
  );

  const take = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on("error", () => undefined);
    const admission = gate(request);
    if (!admission.admitted) return no(socket, admission.status, admission.code, admission.message);
    if (!paths.includes(pathOf(request)))
      return no(socket, 404, "USER.SERVE.NO_SUCH_PATH", `ACP is spoken at ${paths.join(" and ")}`);
    if (request.method !== "GET")
      return no(socket, 405, "USER.SERVE.METHOD", "expected GET: a WebSocket begins with it");
    if (isClosing()) return no(socket, 503, "USER.SERVE.CLOSING", "the server is shutting down");
    const principal = admission.subject ?? "";
    let giveBack = places.take(principal);
    if (giveBack === null) {
      await makeRoom(admission.subject, places.lacking(principal));
      giveBack = places.take(principal); // I2
    }
    if (giveBack === null)
      return no(socket, 503, "USER.SERVE.TOO_MANY", "too many connections: see --limit connections");
    socket.once("close", giveBack);
    if (socket.destroyed) return giveBack();
    ids.set(request, randomUUID());
    wss.handleUpgrade(request, socket, head, (ws) => accept(ws, socket, admission));
  };
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => void take(request, socket, head));
}
