/** `session/load`: the log is replayed as updates, then the answer follows. */
import type { LoadSessionRequest, LoadSessionResponse } from "@agentclientprotocol/sdk";
import { type Connection, inFlight } from "../connection.ts";

export async function loadSession(
  connection: Connection,
  { sessionId, cwd }: LoadSessionRequest,
): Promise<LoadSessionResponse> {
  const troupe = await connection.service.open();
  const session = await troupe.open(sessionId);
  if (connection.isPrompting(sessionId)) throw inFlight(sessionId);
  // A second load shows everything anew.
  connection.detach(sessionId);
  connection.attach(session);
  await connection.watch(session, 0).reached(session.head());
  connection.announcer.announce(sessionId, cwd);
  return {};
}
