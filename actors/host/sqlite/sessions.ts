/** The table of sessions: whose they are, what they are called, who runs them. */
import type { Key } from "../../../machines/model.ts";
import type { ListedRow, SessionRow, SessionTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

const FIND = "select id, owner, cwd, principal, title, updated from session where id=?";
/** The statement of a page; `cwd` says that the list is of one directory. */
export const pageStatement = (cwd: boolean): string => `
  select s.id, s.cwd, s.principal, s.title, s.updated, s.owner, a.snap from session s left join actor a on a.key=s.id
  where s.principal=?1 and ${cwd ? "s.cwd=?2" : "?2 is null"} and (s.updated, s.id)<(?3, ?4)
    and (s.title is not null or exists(select 1 from log where session=s.id and type='turn.started'))
  order by s.updated desc, s.id desc limit ?5`;
const BESIDE = `select title from session where cwd=(select cwd from session where id=?1)
  and principal=(select principal from session where id=?1) order by updated desc limit ?2`;

export function sessionTable(sql: Statements): SessionTable {
  return {
    find: (session) => {
      const row = sql(FIND).get(session);
      return row === undefined ? undefined : rowOf(row);
    },
    page: ({ principal, cwd, after, limit }) =>
      sql(pageStatement(cwd !== null))
        .all(principal, cwd, after.updated, after.id, limit)
        .map((row): ListedRow => ({ ...rowOf(row), snap: row["snap"] as string | null })),
    titlesBeside: (session, limit) =>
      sql(BESIDE)
        .all(session, limit)
        .map(({ title }) => title as string | null),
  };
}

const rowOf = (row: Record<string, unknown>): SessionRow => ({
  session: row["id"] as Key,
  cwd: row["cwd"] as string,
  principal: row["principal"] as string,
  title: row["title"] as string | null,
  updated: row["updated"] as number,
  owner: row["owner"] as string | null,
});
