/** `session/close`: what runs is cancelled and has ended when the answer comes. The record stays loadable. */
import type { CloseSessionRequest, CloseSessionResponse } from "@agentclientprotocol/sdk";
import type { Connection } from "../connection.ts";

export async function closeSession(
  connection: Connection,
  { sessionId }: CloseSessionRequest,
): Promise<CloseSessionResponse> {
  await connection.session(sessionId).close();
  connection.detach(sessionId);
  return {};
}
