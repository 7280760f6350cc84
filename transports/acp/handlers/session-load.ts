/**
 * `session/load`: the log is replayed as updates, then the answer follows. One whose session is closed, deleted or loaded
 * again before all of it was sent gets an error. One whose run a crash cut off ends with how to resume it.
 */
import type { LoadSessionRequest, LoadSessionResponse } from "@agentclientprotocol/sdk";
import type { EditorConnection } from "../connection.ts";
import { allShown, reopen } from "../reopen.ts";

export async function loadSession(
  connection: EditorConnection,
  request: LoadSessionRequest,
): Promise<LoadSessionResponse> {
  const goOn = connection.find(request.sessionId)?.hold();
  const attended = await reopen(connection, request).catch((error: unknown) => {
    goOn?.();
    throw error;
  });
  const { session } = attended;
  attended.show({ after: 0 });
  await allShown(attended);
  connection.announcer.announce(session.id, session.cwd);
  return await connection.choices.of(session);
}
