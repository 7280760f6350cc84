/** `session/cancel`: a notification. The prompt is answered by its turn's end; an idle or unknown session is left alone. */
import type { CancelNotification } from "@agentclientprotocol/sdk";
import type { Connection } from "../connection.ts";

export async function cancelSession(connection: Connection, { sessionId }: CancelNotification): Promise<void> {
  connection.withdraw(sessionId);
  await connection.find(sessionId)?.cancel();
}
