/**
 * `session/resume`: the session continues where it is. Nothing that was said before is shown, only the title and the plan
 * as they stand; what comes from now on is. A client that comes with a cursor continues there. Where a crash cut its run
 * off, what stands would look like work: then it is said that it was cut off, and how to resume it. All of this comes
 * before the answer: what comes after it an editor shows where the user types by then.
 */
import type { ResumeSessionRequest, ResumeSessionResponse } from "@agentclientprotocol/sdk";
import type { Session } from "../../../actors/troupe.ts";
import type { EditorConnection } from "../connection.ts";
import { placeOf } from "../cursor.ts";
import { allShown, reopen } from "../reopen.ts";

export async function resumeSession(
  connection: EditorConnection,
  request: ResumeSessionRequest,
): Promise<ResumeSessionResponse> {
  const cursorIn = (session: Session) => placeOf(request._meta, session.head());
  const attended = await reopen(connection, request, cursorIn);
  const { session } = attended;
  const place = cursorIn(session);
  attended.show({
    after: place?.seq ?? session.head(),
    shown: place?.shown ?? {},
  });
  await allShown(attended);
  connection.announcer.announce(session.id, session.cwd);
  return await connection.choices.of(session);
}
