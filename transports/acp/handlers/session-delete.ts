/**
 * `session/delete`: what runs is cancelled first, and a prompt in flight is answered. Idempotent: a session that is
 * not there, or another principal's, gets the same empty answer and is left alone.
 */
import type { DeleteSessionRequest, DeleteSessionResponse } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "../connection.ts";

export async function deleteSession(
  connection: EditorConnection,
  { sessionId }: DeleteSessionRequest,
): Promise<DeleteSessionResponse> {
  const attended = connection.find(sessionId);
  if (attended !== undefined) {
    attended.cancelled();
    await attended.session.close();
    // The turn's last updates are read from the log: they are sent before it goes.
    await attended.answered();
  }
  const troupe = await connection.service.open();
  await troupe.deleteSession(sessionId);
  await connection.reopening(sessionId);
  // Only now: a session that could not be deleted is this connection's as before.
  const left = connection.find(sessionId);
  if (left !== undefined) connection.detach(left);
  return {};
}
