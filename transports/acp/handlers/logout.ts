/** `logout`: what this connection's sessions run has ended when the answer comes, and the sessions are let go of. */
import type { LogoutRequest, LogoutResponse } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "../connection.ts";
import { closeSession } from "./session-close.ts";

export async function logout(connection: EditorConnection, _: LogoutRequest): Promise<LogoutResponse> {
  connection.auth.leave();
  await Promise.all(connection.attached.map((sessionId) => closeSession(connection, { sessionId })));
  return {};
}
