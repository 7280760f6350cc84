/**
 * `session/cancel`: a notification. The prompt is answered by its turn's end; a session that is idle, unknown, or
 * another process's is left alone.
 */
import type { CancelNotification } from "@agentclientprotocol/sdk";
import { TroupeError } from "../../../actors/troupe.ts";
import type { EditorConnection } from "../connection.ts";

export async function cancelSession(connection: EditorConnection, { sessionId }: CancelNotification): Promise<void> {
  const attended = connection.find(sessionId);
  attended?.cancelled();
  await attended?.session.cancel().catch((error: unknown) => {
    if (!(error instanceof TroupeError) || error.code !== "USER.SESSION.BUSY_ELSEWHERE") throw error;
  });
}
