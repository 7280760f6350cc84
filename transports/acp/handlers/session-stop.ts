/**
 * `_troupe/session/stop`: `session/cancel` as a request. What runs has ended, and its prompt is answered, before it is.
 * What another process runs is told to end, and not waited for.
 */
import type { EditorConnection } from "../connection.ts";

export type StopRequest = { sessionId: string };

export async function stopSession(
  connection: EditorConnection,
  { sessionId }: StopRequest,
): Promise<Record<string, never>> {
  const attended = connection.attended(sessionId);
  attended.cancelled();
  await attended.session.cancel();
  await attended.session.close();
  await attended.answered();
  return {};
}
