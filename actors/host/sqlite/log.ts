/** The table of logs. */
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { LoggedRow, LogTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

/** The words of the index `log_run`: without them SQLite does not see that it may be used. */
const OF_RUN = "run=? and type in ('run.started', 'run.completed')";
export const BOUNDARY = `select session, seq, at, row from log where ${OF_RUN} and type=? limit 1`;
const BEGUN =
  "select session, seq, at, row from log where type='run.started' and at<=? order by at desc limit ? offset ?";
const FIRST = "select seq, at from log where session=? and run=? order by seq limit 1";
const BEFORE = "select seq, at, row from log where session=? and seq<? order by seq desc limit ?";
const OF_TYPES =
  "select seq, at, row from log where session=? and seq<? and type in (select value from json_each(?)) order by seq desc limit ?";
const ANSWERED =
  "select 1 from log where session=? and type='input.answered' and json_extract(row, '$.payload.input')=? limit 1";

export function logTable(sql: Statements): LogTable {
  return {
    before: (session, before, limit, types) =>
      (types === null
        ? sql(BEFORE).all(session, before, limit)
        : sql(OF_TYPES).all(session, before, JSON.stringify(types), limit)
      ).map(exchangeOf),
    boundary: (run, type) => {
      const row = sql(BOUNDARY).get(run, type);
      return row === undefined ? undefined : loggedOf(row);
    },
    begun: (until, limit, offset) => sql(BEGUN).all(until, limit, offset).map(loggedOf),
    firstOf: (session, run) => sql(FIRST).get(session, run) as Pick<Exchange, "seq" | "at"> | undefined,
    isAnswered: (session, input) => sql(ANSWERED).get(session, input) !== undefined,
  };
}

export const exchangeOf = ({ row, seq, at }: Record<string, unknown>): Exchange => ({
  ...(JSON.parse(row as string) as Row),
  seq: seq as number,
  at: at as number,
});
const loggedOf = (row: Record<string, unknown>): LoggedRow => ({
  session: row["session"] as Key,
  exchange: exchangeOf(row),
});
