/** What rests in the store, and how large it is. */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Key } from "../../../machines/model.ts";
import type { RestTable } from "../rest-table.ts";
import { readBeside } from "./side-store.ts";
import type { Statements } from "./statements.ts";

const IS_LISTED = "parent is null and seq is not null";
/** One pass over the table of runs, whatever their number. */
const RESTING = `select s.id, s.updated, coalesce(r.n, 0) n, coalesce(r.open, 0) open, coalesce(r.last, 0) last
  from session s left join (select session, sum(${IS_LISTED}) n, sum(phase in ('open', 'parked')) open, max(rowid) last from run group by session) r
    on r.session=s.id
  where coalesce(r.open, 0)=0 order by s.updated, s.id`;
/** In the words of the index `run_open`: a run that another one called is open only while that one is. */
export const OPEN_STATEMENT =
  "select exists(select 1 from run where session=? and parent is null and (phase='open' or phase='parked')) open";
const INCREMENTAL = 2;
const TABLES = ["message", "piece"] as const;

/** `beside`: the files beside the log that name sessions. */
export function restTable(sql: Statements, db: DatabaseSync, beside: readonly string[]): RestTable {
  const number = (pragma: string): number => Number(Object.values(sql(`pragma ${pragma}`).get() ?? {})[0]);
  return {
    resting: () =>
      sql(RESTING)
        .all()
        .map((row) => ({
          ...{ session: row["id"] as Key, updated: Number(row["updated"]) },
          ...{ runs: Number(row["n"]), last: Number(row["last"]) },
        })),
    hasOpenRun: (session) => Number(sql(OPEN_STATEMENT).get(session)?.["open"]) === 1,
    listedRuns: () => Number(sql(`select count(*) n from run where ${IS_LISTED}`).get()?.["n"]),
    orphans: () => {
      const named = beside.filter((file) => existsSync(file)).flatMap((file) => readBeside(file, sessionsIn) ?? []);
      return [...new Set(named)].filter(
        (session) => sql("select 1 from session where id=?").get(session) === undefined,
      );
    },
    size: () => {
      const page = number("page_size");
      const free = number("freelist_count");
      const used = (number("page_count") - free) * page;
      return { used, free: free * page, shrinks: number("auto_vacuum") === INCREMENTAL };
    },
    // The pragma gives pages back as its rows are read.
    shrink: (pages) => db.exec(`pragma incremental_vacuum(${pages})`),
    // The first holds up nobody who writes, so that the second has little to do.
    bringIn: () => db.exec("pragma wal_checkpoint(passive); pragma wal_checkpoint(truncate)"),
  };
}

function sessionsIn(db: DatabaseSync): Key[] {
  return TABLES.flatMap((table) => {
    const isThere = db.prepare("select 1 from sqlite_master where name=?").get(table) !== undefined;
    return isThere ? db.prepare(`select distinct session from ${table}`).all() : [];
  }).map((row) => row["session"] as Key);
}
