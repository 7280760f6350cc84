/** `_troupe/session/stop`: `session/cancel` as a request. What runs has ended, and its prompt is answered, before it is. */
import type { EditorConnection } from "../connection.ts";

export type StopRequest = { sessionId: string };

export async function stopSession(
  connection: EditorConnection,
  { sessionId }: StopRequest,
): Promise<Record<string, never>> {
  const session = connection.session(sessionId);
  connection.withdraw(sessionId);
  await session.close();
  await connection.answered(sessionId);
  return {};
}
