/**
 * `session/new`: the session's row is committed before the answer. In a folder below a repository's root that has no
 * workflows of its own it begins where the terminal would: in the nearest one above that has.
 */
import type { NewSessionRequest, NewSessionResponse } from "@agentclientprotocol/sdk";
import { setupOf } from "../client-setup.ts";
import type { EditorConnection } from "../connection.ts";

export async function newSession(
  connection: EditorConnection,
  request: NewSessionRequest,
): Promise<NewSessionResponse> {
  const troupe = await connection.service.open();
  const cwd = troupe.project(request.cwd);
  const session = await troupe.session({ cwd, ...setupOf(request) });
  const state = await connection.choices.of(session);
  connection.attach(session);
  connection.announcer.announce(session.id, session.cwd);
  return { sessionId: session.id, ...state };
}
