/** The table of sessions: whose they are, what they are called, who runs them. */
import { sep } from "node:path";
import { LIMIT } from "../../../machines/address.ts";
import type { Key } from "../../../machines/model.ts";
import type { ListedRow, SessionRow, SessionTable, UsedSession } from "../storage.ts";
import { beginningBelow, withThoseAbove } from "../within.ts";
import type { Statements } from "./statements.ts";

const FIND = "select id, owner, cwd, principal, title, updated, epoch from session where id=?";
/** The statement of a page; `cwd` says that the list is of one directory. */
export const pageStatement = (cwd: boolean): string => `
  select s.id, s.cwd, s.principal, s.title, s.updated, s.owner, s.epoch, a.snap from session s left join actor a on a.key=s.id
  where s.principal=?1 and ${cwd ? "s.cwd=?2" : "?2 is null"} and (s.updated, s.id)<(?3, ?4)
    and (s.title is not null or exists(select 1 from log where session=s.n and type='turn.started'))
  order by s.updated desc, s.id desc limit ?5`;
/** As one value: two hundred rows of one each take three times as long. */
const BESIDE = `select json_group_array(title) as titles from (
  select title from session where cwd=(select cwd from session where id=?1)
    and principal=(select principal from session where id=?1) order by updated desc limit ?2)`;
/** Steps from one principal to the next by the index: there are few, and many sessions of each. */
export const WITHIN = `with recursive each(principal) as (
  select coalesce(?1, (select min(principal) from session))
  union all select (select min(s.principal) from session s where s.principal>each.principal)
    from each where ?1 is null and each.principal is not null)
  select s.id, s.updated from each cross join session s on s.principal=each.principal
    and s.cwd in (select value from json_each(?2))
  union all select s.id, s.updated from each cross join session s on s.principal=each.principal
    and s.cwd>=?3 and s.cwd<?4
  limit ?5`;
const OPEN = `insert or ignore into session(id, owner, cwd, principal, created, title, updated, epoch)
  values(?1,?2,?3,?4,?5,null,?5,1)`;
const TAKE = "update session set owner=?, epoch=epoch+1 where id=? and owner is ? returning epoch";
const LEAVE = "update session set owner=? where id=? and epoch=?";
const OWNED = "select id, epoch from session where owner=?";
const RUNS = `select exists(select 1 from work where session=?1) or exists(select 1 from timer where session=?1 and id<>'${LIMIT}')
  or exists(select 1 from mail where session=?1)
  or (exists(select 1 from actor where key>'permission/' and key<'permission0' and session=?1)
    and not exists(select 1 from actor where key=?1 and json_extract(snap, '$.value')='interrupted')) as runs`;
/** Before its log: that names them. */
const RUNS_GO = `delete from run where id in
  (select run from log where session=(select n from session where id=?) and type in ('run.started', 'run.completed'))`;
const LOG_GOES = "delete from log where session=(select n from session where id=?)";
const OF_SESSION = ["timer", "work", "mail", "letter"].map((table) => `delete from ${table} where session=?`);

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
    titlesBeside: (session, limit) => JSON.parse(sql(BESIDE).get(session, limit)?.["titles"] as string),
    within: (within, principal, limit) => {
      const { type, folder } = within;
      const [folders, from, until] =
        type === "below" ? [[folder], ...rangeBelow(folder)] : [withThoseAbove(folder), null, null];
      return sql(WITHIN).all(principal, JSON.stringify(folders), from, until, limit).map(usedOf);
    },
    open: (session, owner, cwd, principal, at) => Number(sql(OPEN).run(session, owner, cwd, principal, at).changes) > 0,
    take: (session, owner, from) => sql(TAKE).get(owner, session, from)?.["epoch"] as number | undefined,
    leave: (session, epoch, owner) => void sql(LEAVE).run(owner, session, epoch),
    ownedBy: (owner) =>
      sql(OWNED)
        .all(owner)
        .map((row) => ({ session: row["id"] as Key, epoch: row["epoch"] as number })),
    runs: (session) => Number(sql(RUNS).get(session)?.["runs"]) === 1,
    drop: (session) => {
      sql(RUNS_GO).run(session);
      sql(LOG_GOES).run(session);
      for (const statement of OF_SESSION) sql(statement).run(session);
      sql("delete from session where id=?").run(session);
    },
  };
}

const rowOf = (row: Record<string, unknown>): SessionRow => ({
  session: row["id"] as Key,
  cwd: row["cwd"] as string,
  principal: row["principal"] as string,
  title: row["title"] as string | null,
  updated: row["updated"] as number,
  owner: row["owner"] as string | null,
  epoch: row["epoch"] as number,
});
const usedOf = (row: Record<string, unknown>): UsedSession => ({
  session: row["id"] as Key,
  updated: row["updated"] as number,
});

/** All that begins as a path below the folder does: up to the next character behind the separator. */
function rangeBelow(folder: string): [from: string, until: string] {
  const from = beginningBelow(folder);
  return [from, from.slice(0, -1) + String.fromCharCode(sep.charCodeAt(0) + 1)];
}
