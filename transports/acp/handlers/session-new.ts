/** `session/new`: the session's row is committed before the answer. */
import type { NewSessionRequest, NewSessionResponse } from "@agentclientprotocol/sdk";
import { setupOf } from "../client-setup.ts";
import type { EditorConnection } from "../connection.ts";

export async function newSession(
  connection: EditorConnection,
  request: NewSessionRequest,
): Promise<NewSessionResponse> {
  const { cwd } = request;
  const troupe = await connection.service.open();
  const session = await troupe.session({ cwd, ...setupOf(request) });
  const state = await connection.choices.of(session);
  connection.attach(session);
  connection.announcer.announce(session.id, cwd);
  return { sessionId: session.id, ...state };
}
