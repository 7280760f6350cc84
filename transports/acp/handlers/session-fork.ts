/** `session/fork` (unstable): a new session with what was chosen in another one. Its log begins anew. */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { SessionState } from "../../../projections/acp/options.ts";
import { setupOf } from "../client-setup.ts";
import type { EditorConnection } from "../connection.ts";
import { demandAbsolute } from "../errors.ts";

export type ForkRequest = {
  sessionId: string;
  cwd: string;
  mcpServers?: McpServer[];
  additionalDirectories?: string[];
};
export type ForkResponse = { sessionId: string } & SessionState;

export async function forkSession(connection: EditorConnection, request: ForkRequest): Promise<ForkResponse> {
  const { sessionId, cwd } = request;
  demandAbsolute(cwd);
  const troupe = await connection.service.open();
  const session = await troupe.fork(sessionId, setupOf(request));
  connection.attach(session);
  connection.announcer.announce(session.id, session.cwd);
  return { sessionId: session.id, ...(await connection.choices.of(session)) };
}
