/** A session of the store, for this connection. A session keeps the cwd that it was opened with. */
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import type { Session } from "../../actors/troupe.ts";
import type { AttendedSession } from "./attended-session.ts";
import { setupOf } from "./client-setup.ts";
import type { EditorConnection } from "./connection.ts";
import { demandAbsolute } from "./errors.ts";
import { CLOSED } from "./session-view.ts";

type ReopenRequest = { sessionId: string; cwd: string; mcpServers?: McpServer[]; additionalDirectories?: string[] };

/**
 * Attends it without a view or commands. Throws -32602 for its cwd, -32002 when it is unknown, -32600 while a prompt runs
 * here, and what `check` throws; whatever it throws has changed nothing. A prompt that comes once the session is changed
 * is waited for.
 */
export function reopen(
  connection: EditorConnection,
  request: ReopenRequest,
  check: (session: Session) => void = () => undefined,
): Promise<AttendedSession> {
  const attaching = attach(connection, request, check);
  connection.reopens(request.sessionId, attaching);
  return attaching;
}

async function attach(
  connection: EditorConnection,
  request: ReopenRequest,
  check: (session: Session) => void,
): Promise<AttendedSession> {
  const { sessionId, cwd } = request;
  demandAbsolute(cwd);
  const troupe = await connection.service.open();
  const setup = setupOf(request);
  check(await troupe.open(sessionId));
  connection.find(sessionId)?.refusePrompting();
  const session = await troupe.open(sessionId, setup);
  await connection.find(sessionId)?.answered();
  // A second time shows everything anew.
  return connection.attach(session);
}

/**
 * Waits until the client was sent all that the log holds now; where a crash cut the run off, that is said behind it.
 * Throws -32600 where the session is closed, deleted or loaded again before.
 */
export async function allShown(attended: AttendedSession): Promise<void> {
  const { session } = attended;
  await attended.sayCutOff().catch((error: unknown) => {
    if (error !== CLOSED) throw error;
    throw new RequestError(-32600, "Invalid request: the session was closed or loaded again while it was loaded", {
      reason: "load_superseded",
      sessionId: session.id,
    });
  });
}
