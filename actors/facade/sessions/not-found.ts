/** Why a caller gets no session of this name. */

import { TroupeError } from "../../errors/troupe-error.ts";
import type { Host } from "../../host/host.ts";
import { subjectOf } from "../subject.ts";

/**
 * `principal`: null for the user of this process, who sees the runs of everybody, and is told so; any other caller
 * learns nothing of sessions that are not its own.
 */
export function noSession(id: string, principal: string | null, { sessions }: Pick<Host, "sessions">): TroupeError {
  const found = principal === null ? sessions.find(`session/${id}`) : undefined;
  if (found === undefined)
    return new TroupeError("USER.SESSION.UNKNOWN", `there is no session "${id}"`, { session: id });
  const subject = subjectOf(found.principal);
  const whose = subject === undefined ? "is another user's" : `was begun with the token "${subject}"`;
  return new TroupeError("USER.SESSION.NOT_YOURS", `session "${id}" ${whose}: only who began it goes on with it`, {
    session: id,
  });
}
