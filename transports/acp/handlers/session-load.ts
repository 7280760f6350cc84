/** `session/load`: the log is replayed as updates, then the answer follows. A session keeps the cwd it was opened with. */
import { isAbsolute } from "node:path";
import { type LoadSessionRequest, type LoadSessionResponse, RequestError } from "@agentclientprotocol/sdk";
import { type Connection, inFlight } from "../connection.ts";

export async function loadSession(
  connection: Connection,
  { sessionId, cwd }: LoadSessionRequest,
): Promise<LoadSessionResponse> {
  if (!isAbsolute(cwd))
    throw new RequestError(-32602, `cwd must be an absolute path, not "${cwd}"`, {
      code: "USER.SESSION.CWD",
      field: "cwd",
    });
  const troupe = await connection.service.open();
  const session = await troupe.open(sessionId);
  if (connection.isPrompting(sessionId)) throw inFlight(sessionId);
  // A second load shows everything anew.
  connection.detach(sessionId);
  connection.attach(session);
  await connection.watch(session, { after: 0, alone: false }).reached(session.head());
  connection.announcer.announce(sessionId, session.cwd);
  return {};
}
