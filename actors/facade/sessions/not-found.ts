/** Why a caller gets no session of this name. */

import { TroupeError } from "../../errors/troupe-error.ts";
import type { Host } from "../../host/host.ts";
import { TOKEN } from "../records.ts";

/**
 * `principal`: null for the user of this process, who sees the runs of everybody, and is told so; any other caller
 * learns nothing of sessions that are not its own.
 */
export function noSession(id: string, principal: string | null, { sessions }: Pick<Host, "sessions">): TroupeError {
  const found = principal === null ? sessions.find(`session/${id}`) : undefined;
  if (found === undefined)
    return new TroupeError("USER.SESSION.UNKNOWN", `there is no session "${id}"`, { session: id });
  const whose = found.principal.startsWith(TOKEN)
    ? `was begun with the token "${found.principal.slice(TOKEN.length)}"`
    : "is another user's";
  return new TroupeError("USER.SESSION.NOT_YOURS", `session "${id}" ${whose}: only who began it goes on with it`, {
    session: id,
  });
}
