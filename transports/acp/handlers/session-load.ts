/**
 * `session/load`: the log is replayed as updates, then the answer follows. One whose session is closed, deleted or loaded
 * again before all of it was sent gets an error. One whose run a crash cut off ends with how to resume it.
 */
import { type LoadSessionRequest, type LoadSessionResponse, RequestError } from "@agentclientprotocol/sdk";
import { interruptedUpdate } from "../../../projections/acp/view.ts";
import type { EditorConnection } from "../connection.ts";
import { reopen } from "../reopen.ts";
import { CLOSED } from "../session-view.ts";

export async function loadSession(
  connection: EditorConnection,
  request: LoadSessionRequest,
): Promise<LoadSessionResponse> {
  const attended = await reopen(connection, request);
  const { session } = attended;
  const view = attended.show({ after: 0 });
  await view.reached(session.head()).catch((error: unknown) => {
    if (error !== CLOSED) throw error;
    throw new RequestError(-32600, "Invalid request: the session was closed or loaded again while it was loaded", {
      reason: "load_superseded",
      sessionId: session.id,
    });
  });
  const workflow = session.interrupted();
  if (workflow !== null) connection.service.writer.update(session.id, interruptedUpdate(workflow));
  connection.announcer.announce(session.id, session.cwd);
  return await connection.choices.of(session);
}
