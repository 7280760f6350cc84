/** `session/resume`: the session goes on where it is. Nothing that was said before is shown; what comes from now on is. */
import type { ResumeSessionRequest, ResumeSessionResponse } from "@agentclientprotocol/sdk";
import type { Connection } from "../connection.ts";
import { reopen } from "../reopen.ts";

export async function resumeSession(
  connection: Connection,
  request: ResumeSessionRequest,
): Promise<ResumeSessionResponse> {
  const session = await reopen(connection, request);
  connection.watch(session, { after: session.head(), alone: false });
  connection.announcer.announce(session.id, session.cwd);
  return {};
}
