/** The SDK's agent for one connection: each method goes to its handler. Loaded after `initialize` was answered. */
import { agent, methods } from "@agentclientprotocol/sdk";
import type { Json } from "../../actors/troupe.ts";
import { Connection, type Service } from "./connection.ts";
import { answering } from "./errors.ts";
import { cancelSession } from "./handlers/session-cancel.ts";
import { closeSession } from "./handlers/session-close.ts";
import { deleteSession } from "./handlers/session-delete.ts";
import { listSessions } from "./handlers/session-list.ts";
import { loadSession } from "./handlers/session-load.ts";
import { newSession } from "./handlers/session-new.ts";
import { type Prompted, prompt } from "./handlers/session-prompt.ts";
import { resumeSession } from "./handlers/session-resume.ts";
import type { Handover } from "./handover.ts";
import { initializeResult } from "./initialize.ts";

/** Serves what the handover hands on. `close` resolves when the SDK has let go of it. */
export function connectAgent({ handover, ...service }: Service & { handover: Handover }): { close(): Promise<void> } {
  const connection = new Connection(service);
  const { session } = methods.agent;
  const app = agent({ name: "troupe" })
    .onRequest(methods.agent.initialize, ({ params: { clientInfo, clientCapabilities } }) => {
      const { name = null, version = null } = clientInfo ?? {};
      connection.initialized({ name, version, capabilities: (clientCapabilities ?? null) as Json });
      return initializeResult(service.version);
    })
    .onRequest(
      session.new,
      answering(({ params }) => newSession(connection, params)),
    )
    .onRequest(
      session.load,
      answering(({ params }) => loadSession(connection, params)),
    )
    .onRequest(
      session.resume,
      answering(({ params }) => resumeSession(connection, params)),
    )
    .onRequest(
      session.list,
      answering(({ params }) => listSessions(connection, params)),
    )
    .onRequest(
      session.prompt,
      answering((request: Prompted) => prompt(connection, request)),
    )
    .onRequest(
      session.close,
      answering(({ params }) => closeSession(connection, params)),
    )
    .onRequest(
      session.delete,
      answering(({ params }) => deleteSession(connection, params)),
    )
    .onNotification(session.cancel, ({ params }) => cancelSession(connection, params));
  const served = app.connect(handover);
  return {
    close: async () => {
      served.close();
      connection.close();
      await served.closed;
    },
  };
}
