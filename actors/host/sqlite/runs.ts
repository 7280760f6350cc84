/**
 * The table of runs: what the log says of each, so that lists need not read it.
 *
 * I1. A run's row changes in the transaction of the log's row that begins or ends it; triggers on `session` (`schema.ts`)
 *     say that it is parked, and that it is not any more.
 * I2. Runs that an earlier version of the store began are gathered from its log, in the order of their ids. How far that
 *     is stands in a setting; when it is done, the setting and the index that it needs are gone.
 */
import type { Exchange, RowOf } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { RunListing, RunPhase, RunRow, RunTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

/** The setting of I2. */
export const GATHERED = "runs gathered";

const BEGIN = `insert or ignore into run(id, session, principal, workflow, parent, seq, at, phase)
  values(?1, ?2, coalesce((select principal from session where id=?2), ''), ?3, ?4, ?5, ?6, 'open')`;
const END = "update run set phase=?, ended=? where id=?";
/** One that was not let begin. */
const END_ONLY = `insert or ignore into run(id, session, principal, workflow, phase, ended)
  values(?1, ?2, coalesce((select principal from session where id=?2), ''), ?3, ?4, ?5)`;

const COLUMNS = "id, session, workflow, parent, seq, at, phase, ended";
const FIND = `select ${COLUMNS} from run where id=?`;
export const BEGINNING =
  "select id from run where id>=?1 and id<?2 and (?3 is null or principal=?3) order by id limit ?4";
/** Steps from one to the next by the index: there are few, and many runs of each. */
const PRINCIPALS = `with recursive each(principal) as (
  select min(principal) from run where parent is null and seq is not null
  union all select (select min(run.principal) from run where run.principal>each.principal and parent is null and seq is not null)
    from each where each.principal is not null)
  select principal from each where principal is not null`;
/** The statement of a piece of a list; `workflow` says that the list is of one. */
export const latestStatement = (workflow: boolean): string => `select ${COLUMNS} from run
  where parent is null and seq is not null and principal=?1 and ${workflow ? "workflow=?2" : "?2 is null"}
    and phase=?3 and (at, id)<(?4, ?5) order by at desc, id desc limit ?6`;

/** The words of the index `log_run`: without them SQLite does not see that it may be used. */
const BOUNDARY = "type in ('run.started', 'run.completed')";
/** What the log says of one run, as a row of the table. */
const fromLog = (run: string): string => `select ${run} as id,
    (select id from session where n=coalesce(b.session, e.session)) as session,
    coalesce((select principal from session where n=coalesce(b.session, e.session)), '') as principal,
    json_extract(coalesce(b.row, e.row), '$.payload.workflow') as workflow,
    json_extract(coalesce(b.row, e.row), '$.parentRun') as parent, b.seq as seq, b.at as at,
    coalesce(json_extract(e.row, '$.payload.status'),
      case when (select owner from session where n=b.session) is null
        and (select json_extract(snap, '$.value') from actor where key=(select id from session where n=b.session))='parked' then 'parked' else 'open' end) as phase,
    e.seq as ended`;
const b = (run: string): string => `log b on b.run=${run} and b.${BOUNDARY} and b.type='run.started'`;
const e = (run: string): string => `log e on e.run=${run} and e.${BOUNDARY} and e.type='run.completed'`;
const FIND_IN_LOG = `${fromLog("?1")} from (select 1) left join ${b("?1")} left join ${e("?1")}`;
const PIECE = `select distinct run from log where run>? and ${BOUNDARY} order by run limit ?`;
export const GATHER = `insert or ignore into run(id, session, principal, workflow, parent, seq, at, phase, ended)
  ${fromLog("r.value")} from json_each(?) r left join ${b("r.value")} left join ${e("r.value")}`;
const HOW_FAR = `select value from setting where name='${GATHERED}'`;

/** So many rows of a kind are read at first, and when these are not enough. */
const FEW = 24;
const MANY = 200;
/** Ids are ASCII: no text that begins with a prefix of one comes after the prefix and this. */
const LAST_CHARACTER = "\u007f";

export function runTable(sql: Statements): RunTable {
  let isWhole = false;
  const gathered = (): string | null => {
    const value = isWhole ? undefined : sql(HOW_FAR).get()?.["value"];
    isWhole = value === undefined;
    return isWhole ? null : (value as string);
  };
  return {
    get isWhole() {
      return gathered() === null;
    },
    find: (run) => {
      const row = sql(FIND).get(run) ?? (gathered() === null ? undefined : sql(FIND_IN_LOG).get(run));
      return row === undefined || row["session"] === null ? undefined : runOf(row);
    },
    beginning: (prefix, principal, limit) =>
      sql(BEGINNING)
        .all(prefix, `${prefix}${LAST_CHARACTER}`, principal, limit)
        .map(({ id }) => id as string),
    latest: (listing) => newestFirst(kindsOf(sql, listing)),
    gather: (limit) => {
      const from = gathered();
      if (from === null) return;
      const runs = sql(PIECE)
        .all(from, limit)
        .map(({ run }) => run as string);
      sql(GATHER).run(JSON.stringify(runs));
      const last = runs.at(-1);
      if (last !== undefined && runs.length === limit)
        sql(`update setting set value=? where name='${GATHERED}'`).run(last);
      else for (const text of [`delete from setting where name='${GATHERED}'`, "drop index log_run"]) sql(text).run();
    },
  };
}

/** A row of the log that begins or ends a run, which the log has already. */
export function keepRun(sql: Statements, session: Key, row: Exchange<RowOf<"run.started" | "run.completed">>): void {
  const { run = "", seq, at, payload } = row;
  if (row.type === "run.started") {
    sql(BEGIN).run(run, session, payload.workflow, row.parentRun ?? null, seq, at);
    return;
  }
  const { status } = row.payload;
  if (Number(sql(END).run(status, seq, run).changes) > 0) return;
  const isOlder = sql(HOW_FAR).get() !== undefined;
  if (isOlder) sql(GATHER).run(JSON.stringify([run]));
  else sql(END_ONLY).run(run, session, payload.workflow, status, seq);
}

/** The runs of one principal in one phase. */
function* oneKind(sql: Statements, of: string, phase: RunPhase, { workflow, until }: RunListing): Generator<RunRow> {
  let [at, id] = [until + 1, ""];
  for (let limit = FEW; ; limit = MANY) {
    const rows = sql(latestStatement(workflow !== null))
      .all(of, workflow, phase, at, id, limit)
      .map(runOf);
    yield* rows;
    const last = rows.at(-1);
    if (last?.begun == null || rows.length < limit) return;
    [at, id] = [last.begun.at, last.run];
  }
}
function kindsOf(sql: Statements, listing: RunListing): Generator<RunRow>[] {
  const { principal, phases } = listing;
  const all =
    principal === null
      ? sql(PRINCIPALS)
          .all()
          .map((row) => row["principal"] as string)
      : [principal];
  return all.flatMap((of) => phases.map((phase) => oneKind(sql, of, phase, listing)));
}

const isNewer = (one: RunRow, other: RunRow): boolean => {
  const [a, b] = [one.begun?.at ?? 0, other.begun?.at ?? 0];
  return a === b ? one.run > other.run : a > b;
};
/** Merges lists that are newest first each. */
function* newestFirst(lists: readonly Generator<RunRow>[]): Generator<RunRow> {
  const heads = lists.map((list) => list.next().value as RunRow | undefined);
  for (;;) {
    let newest = -1;
    for (const [at, head] of heads.entries()) {
      const known = heads[newest];
      if (head !== undefined && (known === undefined || isNewer(head, known))) newest = at;
    }
    const found = heads[newest];
    if (found === undefined) return;
    yield found;
    heads[newest] = lists[newest]?.next().value as RunRow | undefined;
  }
}

const runOf = (row: Record<string, unknown>): RunRow => ({
  run: row["id"] as string,
  session: row["session"] as Key,
  workflow: row["workflow"] as string,
  parentRun: row["parent"] as string | null,
  begun: row["seq"] === null ? null : { seq: row["seq"] as number, at: row["at"] as number },
  phase: row["phase"] as RunPhase,
  ended: row["ended"] as number | null,
});
