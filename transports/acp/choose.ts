/** A choice for a session, whichever method asks for it. */
import type { Session } from "../../actors/troupe.ts";
import type { EditorConnection } from "./connection.ts";

/** The client hears of the change by the log where it follows it, and from here otherwise. */
export async function choose(
  connection: EditorConnection,
  sessionId: string,
  { option, value }: { option: string; value: string },
): Promise<Session> {
  const { session, isShown } = connection.attended(sessionId);
  await session.choose(option, value);
  if (!isShown) connection.choices.tell(session);
  return session;
}
