/** `session/new`: the session's row is committed before the answer. */
import type { NewSessionRequest, NewSessionResponse } from "@agentclientprotocol/sdk";
import type { Connection } from "../connection.ts";

export async function newSession(connection: Connection, { cwd }: NewSessionRequest): Promise<NewSessionResponse> {
  const troupe = await connection.service.open();
  const session = await troupe.session({ cwd });
  connection.attach(session);
  connection.announcer.announce(session.id, cwd);
  return { sessionId: session.id };
}
