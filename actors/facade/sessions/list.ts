/**
 * The sessions of one user, those that were used last first.
 *
 * I1. A page reads an index from where it begins: its cost does not grow with the number of sessions.
 * I2. A session that is used while pages are turned moves to the front; it is never seen twice.
 * I3. A session that was opened and never prompted is in no list: an editor opens one for every window. A fork of one that
 *     was has its title.
 */
import { isAbsolute } from "node:path";
import { idOf } from "../../../machines/model.ts";
import type { SessionPage, SessionQuery, SessionRecord, SessionState } from "../../api/records.ts";
import { plainPath } from "../../base/directory.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { ListedSession, PagePosition, SessionReads } from "../../host/reads.ts";
import { checkedSessions } from "../call-forms.ts";
import { openCursor, type Sealing, sealCursor } from "./cursor.ts";

export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 200;

/** Behind every session: no id begins with it. */
const START: PagePosition = { updated: Number.MAX_SAFE_INTEGER, id: "~" };

export type Lister = { sessions: Pick<SessionReads, "page" | "cursorKey">; principal: string; now: number };

/** Throws USER.SESSION.CURSOR, USER.SESSION.CWD and USER.FACADE.INVALID_REQUEST. */
export async function listSessions(query: SessionQuery, { sessions, principal, now }: Lister): Promise<SessionPage> {
  const { cwd: asked = null, cursor = null, limit = DEFAULT_PAGE } = checkedSessions(query, MAX_PAGE);
  if (asked !== null && !isAbsolute(asked))
    throw new TroupeError("USER.SESSION.CWD", `cwd must be an absolute path, not "${asked}"`, {
      field: "cwd",
      cwd: asked,
    });
  const cwd = asked === null ? null : plainPath(asked);
  const sealing: Sealing = { key: Buffer.from(await sessions.cursorKey()), filter: { principal, cwd }, now };
  const after = cursor === null ? START : openCursor(cursor, sealing);
  const found = await sessions.page({ principal, cwd, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    sessions: page.map(recordOf),
    nextCursor: last === undefined ? null : sealCursor({ updated: last.updated, id: last.session }, sealing),
  };
}

function recordOf(listed: ListedSession): SessionRecord {
  const { session, cwd, title, updated, reading } = listed;
  const forkedFrom = reading?.forkedFrom ?? null;
  return {
    id: idOf(session),
    cwd,
    title,
    updatedAt: updated,
    state: stateOf(listed),
    ...(forkedFrom === null ? {} : { forkedFrom }),
  };
}

function stateOf({ isOwned, reading }: ListedSession): SessionState {
  if (isOwned) return "running";
  if (reading === null) return "idle";
  if (reading.value === "parked") return "parked";
  // Whatever else has a run lost the process that ran it.
  return reading.workflow === null ? "idle" : "interrupted";
}
