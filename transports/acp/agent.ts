/** The SDK's agent for one connection: each method goes to its handler. Loaded after `initialize` was answered. */
import { type AgentApp, agent, methods, RequestError } from "@agentclientprotocol/sdk";
import type { Json } from "../../actors/troupe.ts";
import { EditorConnection, type Service } from "./connection.ts";
import type { EarlyInitialize } from "./early-initialize.ts";
import { extend } from "./extensions.ts";
import { authenticate } from "./handlers/authenticate.ts";
import { logout } from "./handlers/logout.ts";
import { cancelSession } from "./handlers/session-cancel.ts";
import { closeSession } from "./handlers/session-close.ts";
import { deleteSession } from "./handlers/session-delete.ts";
import { listSessions } from "./handlers/session-list.ts";
import { loadSession } from "./handlers/session-load.ts";
import { newSession } from "./handlers/session-new.ts";
import { type Prompted, prompt } from "./handlers/session-prompt.ts";
import { resumeSession } from "./handlers/session-resume.ts";
import { setConfigOption } from "./handlers/session-set-config-option.ts";
import { setMode } from "./handlers/session-set-mode.ts";
import { initializeResult, VERSION } from "./initialize.ts";
import { OPTIONAL_METHODS, type OptionalMethod } from "./offer.ts";
import { within, withParams } from "./within.ts";

/** `close` resolves when the SDK has let go of it; `handled` when none of its requests is worked on. */
export type ConnectedAgent = { close(): Promise<void>; handled(): Promise<void> };

/** Serves what the handover hands on. */
export function connectAgent({ handover, ...service }: Service & { handover: EarlyInitialize }): ConnectedAgent {
  const connection = new EditorConnection(service);
  const app = agent({ name: "troupe" });
  serveProtocol(app, connection);
  serveSessions(app, connection);
  extend(app, connection);
  const served = app.connect(handover);
  connection.client = served.client;
  return {
    close: async () => {
      connection.close(); // first: what the SDK gives up with the stream is no answer and no cancel of its client
      served.close();
      await served.closed;
    },
    handled: () => connection.handled(),
  };
}

function serveProtocol(app: AgentApp, connection: EditorConnection): void {
  const { offer } = connection;
  const { version } = connection.service;
  app.onRequest(methods.agent.initialize, ({ params: { protocolVersion, clientInfo, clientCapabilities } }) => {
    if (offer.switches.versionMismatch === "refuse" && protocolVersion !== VERSION)
      throw new RequestError(-32602, `protocol version ${protocolVersion} is not supported: use ${VERSION}`, {
        field: "protocolVersion",
      });
    const { name = null, version: clientVersion = null } = clientInfo ?? {};
    connection.initialized({ name, version: clientVersion, capabilities: (clientCapabilities ?? null) as Json });
    return initializeResult(version, offer);
  });
  if (offer.auth.methods.length === 0) return;
  app.onRequest(methods.agent.authenticate, ({ params }) => authenticate(connection, params));
  app.onRequest(methods.agent.logout, withParams(connection, logout));
}

function serveSessions(app: AgentApp, connection: EditorConnection): void {
  const { session } = methods.agent;
  // The SDK asks its handlers one after the other, a turn of the microtask queue each: what a prompt must not be
  // overtaken by stands behind it.
  app
    .onRequest(
      session.prompt,
      within(connection, (request: Prompted) => prompt(connection, request)),
    )
    .onNotification(session.cancel, ({ params }) => cancelSession(connection, params))
    .onRequest(session.new, withParams(connection, newSession))
    .onRequest(session.setMode, withParams(connection, setMode))
    .onRequest(session.setConfigOption, withParams(connection, setConfigOption));
  const optional: { readonly [method in OptionalMethod]: () => AgentApp } = {
    "session/load": () => app.onRequest(session.load, withParams(connection, loadSession)),
    "session/resume": () => app.onRequest(session.resume, withParams(connection, resumeSession)),
    "session/list": () => app.onRequest(session.list, withParams(connection, listSessions)),
    "session/close": () => app.onRequest(session.close, withParams(connection, closeSession)),
    "session/delete": () => app.onRequest(session.delete, withParams(connection, deleteSession)),
  };
  for (const method of OPTIONAL_METHODS) if (!connection.offer.without.includes(method)) optional[method]();
}
