/** `session/list`: a page of the user's sessions, last used first. Those of a folder are where its sessions begin. */
import type { ListSessionsRequest, ListSessionsResponse, SessionInfo } from "@agentclientprotocol/sdk";
import type { SessionRecord } from "../../../actors/troupe.ts";
import type { EditorConnection } from "../connection.ts";

export async function listSessions(
  connection: EditorConnection,
  { cwd = null, cursor = null }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const { legacyFields } = connection.offer.switches;
  const troupe = await connection.service.open();
  const { sessions, nextCursor } = await troupe.sessions({ cwd: cwd === null ? null : troupe.project(cwd), cursor });
  return { sessions: sessions.map((record) => infoOf(record, legacyFields)), nextCursor };
}

const infoOf = (
  { id, cwd, title, updatedAt, state, forkedFrom }: SessionRecord,
  legacyFields: boolean,
): SessionInfo => ({
  ...(legacyFields && forkedFrom !== undefined ? { parentSessionId: forkedFrom } : {}),
  sessionId: id,
  cwd,
  ...(title === null ? {} : { title }),
  updatedAt: new Date(updatedAt).toISOString(),
  _meta: { "troupe/state": state, ...(forkedFrom === undefined ? {} : { "troupe/parentSessionId": forkedFrom }) },
});
