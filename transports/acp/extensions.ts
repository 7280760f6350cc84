/**
 * Methods that are not in the stable protocol. Ours begin with `_troupe/`; their bare names are served where legacy
 * methods are on. Whatever else is asked for gets -32601.
 */
import type { AgentApp } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "./connection.ts";
import { exportSession } from "./handlers/session-export.ts";
import { forkSession } from "./handlers/session-fork.ts";
import { setModel } from "./handlers/session-set-model.ts";
import { stopSession } from "./handlers/session-stop.ts";
import { tellAgent } from "./handlers/tell.ts";
import { count, params, servers, text, texts } from "./params.ts";
import { withParams } from "./within.ts";

const ofSession = params((fields) => ({ sessionId: text(fields, "sessionId") }));
const forExport = params((fields) => ({
  sessionId: text(fields, "sessionId"),
  format: text(fields, "format", "jsonl"),
  after: count(fields, "after", 0),
}));
const forTell = params((fields) => ({
  sessionId: text(fields, "sessionId"),
  text: text(fields, "text"),
  step: text(fields, "step", ""),
}));
const forModel = params((fields) => ({ sessionId: text(fields, "sessionId"), modelId: text(fields, "modelId") }));
const forFork = params((fields) => ({
  sessionId: text(fields, "sessionId"),
  cwd: text(fields, "cwd"),
  mcpServers: servers(fields, "mcpServers"),
  additionalDirectories: texts(fields, "additionalDirectories"),
}));

export function extend(app: AgentApp, connection: EditorConnection): void {
  const { fork, switches } = connection.offer;
  for (const prefix of ["_troupe/", ...(switches.legacyMethods ? [""] : [])]) {
    app.onRequest(`${prefix}session/export`, forExport, withParams(connection, exportSession));
    app.onRequest(`${prefix}session/stop`, ofSession, withParams(connection, stopSession));
  }
  app.onRequest("_troupe/tell", forTell, withParams(connection, tellAgent));
  // Some clients still send it: it was never in the stable protocol.
  app.onRequest("session/set_model", forModel, withParams(connection, setModel));
  if (fork) app.onRequest("session/fork", forFork, withParams(connection, forkSession));
}
