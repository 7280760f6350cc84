/**
 * `session/close`: what runs is cancelled and has ended when the answer comes. The record stays loadable, without what was
 * allowed or refused for good. It closes also what a load or resume that was sent before it is about to open.
 */
import type { CloseSessionRequest, CloseSessionResponse } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "../connection.ts";

export async function closeSession(
  connection: EditorConnection,
  { sessionId }: CloseSessionRequest,
): Promise<CloseSessionResponse> {
  if (!connection.attends(sessionId)) await connection.reopening(sessionId);
  const attended = connection.attended(sessionId);
  attended.cancelled();
  await attended.session.close();
  await attended.session.forget();
  // The end of a turn is known to the facade before its last updates are sent.
  await attended.answered();
  connection.detach(attended);
  return {};
}
