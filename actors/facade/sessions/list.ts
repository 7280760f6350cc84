/**
 * The sessions of one user, those that were used last first.
 *
 * I1. A page reads an index from where it begins: its cost does not grow with the number of sessions.
 * I2. A session that is used while somebody turns pages moves to the front; it is never seen twice.
 * I3. A session that was opened and never prompted is in no list: an editor opens one for every window. A fork of one that
 *     was has its title.
 */
import { isAbsolute } from "node:path";
import { idOf, type Key } from "../../../machines/model.ts";
import type { SessionPage, SessionQuery, SessionRecord, SessionState } from "../../api/facade.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Snap } from "../../host/host.ts";
import type { Store } from "../../host/store.ts";
import type { IsAlive } from "../records.ts";
import { openCursor, type PagePosition, type Sealing, sealCursor } from "./cursor.ts";

export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 200;
const KEY_NAME = "cursor key";

/** The statement of a page; `cwd` says that the list is of one directory. */
export const pageStatement = (cwd: boolean): string => `
  select s.id, s.cwd, s.title, s.updated, s.owner, a.snap from session s left join actor a on a.key=s.id
  where s.principal=?1 and ${cwd ? "s.cwd=?2" : "?2 is null"} and (s.updated, s.id)<(?3, ?4)
    and (s.title is not null or exists(select 1 from log where session=s.id and type='turn.started'))
  order by s.updated desc, s.id desc limit ?5`;
/** Behind every session: no id begins with it. */
const START: PagePosition = { updated: Number.MAX_SAFE_INTEGER, id: "~" };

export type Lister = { store: Store; principal: string; now: number; isAlive: IsAlive };

/** Throws USER.SESSION.CURSOR and USER.SESSION.CWD. */
export function listSessions(
  { cwd = null, cursor = null, limit = DEFAULT_PAGE }: SessionQuery,
  by: Lister,
): SessionPage {
  const { store, principal, now } = by;
  if (cwd !== null && !isAbsolute(cwd))
    throw new TroupeError("USER.SESSION.CWD", `cwd must be an absolute path, not "${cwd}"`, { field: "cwd", cwd });
  const sealing: Sealing = { key: cursorKey(store), filter: { principal, cwd }, now };
  const { updated, id } = cursor === null ? START : openCursor(cursor, sealing);
  const size = Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
  const found = store.query(pageStatement(cwd !== null), principal, cwd, updated, id, size + 1);
  const page = found.slice(0, size);
  const last = found.length > size ? page.at(-1) : undefined;
  const isAlive = remembered(by.isAlive);
  return {
    sessions: page.map((row) => recordOf(row, isAlive)),
    nextCursor:
      last === undefined ? null : sealCursor({ updated: last["updated"] as number, id: last["id"] as string }, sealing),
  };
}

function recordOf(row: Record<string, unknown>, isAlive: IsAlive): SessionRecord {
  return {
    id: idOf(row["id"] as Key),
    cwd: row["cwd"] as string,
    title: row["title"] as string | null,
    updatedAt: row["updated"] as number,
    state: stateOf(row, isAlive),
    ...forkOf(row),
  };
}

function stateOf({ owner, snap }: Record<string, unknown>, isAlive: IsAlive): SessionState {
  if (typeof owner === "string" && isAlive(owner)) return "running";
  if (typeof snap !== "string") return "idle";
  const { value, context } = JSON.parse(snap) as Snap & { context: { run?: unknown } };
  if (value === "parked") return "parked";
  // Whatever else has a run lost the process that ran it.
  return (context.run ?? null) === null ? "idle" : "interrupted";
}

function forkOf({ snap }: Record<string, unknown>): { forkedFrom?: string } {
  if (typeof snap !== "string" || !snap.includes('"forkedFrom"')) return {};
  const { forkedFrom } = (JSON.parse(snap) as Snap & { context: { forkedFrom?: string } }).context;
  return forkedFrom === undefined ? {} : { forkedFrom };
}

/** Many sessions of a page have the same owner. */
function remembered(isAlive: IsAlive): IsAlive {
  const known = new Map<string, boolean>();
  return (owner) => {
    const alive = known.get(owner) ?? isAlive(owner);
    known.set(owner, alive);
    return alive;
  };
}

/** One for the store: a cursor is good in the next process too. */
function cursorKey(store: Store): Buffer {
  return Buffer.from(store.query("select value from setting where name=?", KEY_NAME)[0]?.["value"] as string);
}
