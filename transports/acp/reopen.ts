/** A session of the store, for this connection. A session keeps the cwd that it was opened with. */
import { isAbsolute } from "node:path";
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import type { AttendedSession } from "./attended-session.ts";
import { setupOf } from "./client-setup.ts";
import type { EditorConnection } from "./connection.ts";

/** Attends it without a view or commands. Throws -32602 for its cwd, -32002 when it is unknown, -32600 while a prompt runs here. */
export async function reopen(
  connection: EditorConnection,
  request: { sessionId: string; cwd: string; mcpServers?: McpServer[]; additionalDirectories?: string[] },
): Promise<AttendedSession> {
  const { sessionId, cwd } = request;
  if (!isAbsolute(cwd))
    throw new RequestError(-32602, `cwd must be an absolute path, not "${cwd}"`, {
      code: "USER.SESSION.CWD",
      field: "cwd",
    });
  const troupe = await connection.service.open();
  const session = await troupe.open(sessionId, setupOf(request));
  connection.find(sessionId)?.refusePrompting();
  // A second time shows everything anew.
  return connection.attach(session);
}
