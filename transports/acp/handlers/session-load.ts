/** `session/load`: the log is replayed as updates, then the answer follows. */
import type { LoadSessionRequest, LoadSessionResponse } from "@agentclientprotocol/sdk";
import type { Connection } from "../connection.ts";
import { reopen } from "../reopen.ts";

export async function loadSession(connection: Connection, request: LoadSessionRequest): Promise<LoadSessionResponse> {
  const session = await reopen(connection, request);
  await connection.watch(session, { after: 0, alone: false }).reached(session.head());
  connection.announcer.announce(session.id, session.cwd);
  return {};
}
