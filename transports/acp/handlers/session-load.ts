/**
 * `session/load`: the log is replayed as updates, then the answer follows. One whose session is closed, deleted or loaded
 * again before all of it was sent gets an error.
 */
import { type LoadSessionRequest, type LoadSessionResponse, RequestError } from "@agentclientprotocol/sdk";
import type { Connection } from "../connection.ts";
import { reopen } from "../reopen.ts";
import { CLOSED } from "../watch.ts";

export async function loadSession(connection: Connection, request: LoadSessionRequest): Promise<LoadSessionResponse> {
  const session = await reopen(connection, request);
  const watch = connection.watch(session, { after: 0 });
  await watch.reached(session.head()).catch((error: unknown) => {
    if (error !== CLOSED) throw error;
    throw new RequestError(-32600, "Invalid request: the session was closed or loaded again while it was loaded", {
      reason: "load_superseded",
      sessionId: session.id,
    });
  });
  connection.announcer.announce(session.id, session.cwd);
  return await connection.choices.of(session);
}
