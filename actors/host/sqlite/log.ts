/** The table of logs. What a row says of its session or its run goes to their tables with it. */
import type { Exchange, Row } from "../../../machines/exchange.ts";
import { type Head, type LogTable, UPDATED_MS } from "../storage.ts";
import { keepRun } from "./runs.ts";
import type { Statements } from "./statements.ts";

/** Rows of the session of this id. */
const OF = "session=(select n from session where id=?)";
const HEAD = `select seq, at from log where ${OF} order by seq desc limit 1`;
const ROWS = `select seq, at, row from log where ${OF} and seq>? order by seq limit ?`;
const APPEND = "insert into log values((select n from session where id=?),?,?,?,?,?)";
const TOUCH = `update session set updated=?1 where id=?2 and abs(updated-?1)>=${UPDATED_MS}`;
const TITLE = "update session set title=?, updated=? where id=?";
const FIRST = `select seq, at from log where ${OF} and run=? order by seq limit 1`;
const BEFORE = `select seq, at, row from log where ${OF} and seq<? order by seq desc limit ?`;
const OF_TYPES = `select seq, at, row from log where ${OF} and seq<? and type in (select value from json_each(?)) order by seq desc limit ?`;
const TIMES = `select json_group_array(at) times from (select at from log where ${OF} and seq>? and seq<=? order by seq)`;
const WITHOUT = `select seq, at, row from log where ${OF} and seq>? and seq<=? and type not in (select value from json_each(?)) order by seq`;
const ANSWERED = `select 1 from log where ${OF} and type='input.answered' and json_extract(row, '$.payload.input')=? limit 1`;

export function logTable(sql: Statements): LogTable {
  return {
    head: (session) => {
      const row = sql(HEAD).get(session);
      return { seq: Number(row?.["seq"] ?? 0), at: Number(row?.["at"] ?? 0) };
    },
    rows: (session, after, limit) => sql(ROWS).all(session, after, limit).map(exchangeOf),
    page: (session, after, size) => {
      const rows: Exchange[] = [];
      let chars = 0;
      for (const row of sql(ROWS).iterate(session, after, size.rows)) {
        rows.push(exchangeOf(row));
        chars += (row["row"] as string).length;
        if (chars >= size.chars) return { rows, isLast: false };
      }
      return { rows, isLast: rows.length < size.rows };
    },
    append: (session, row, json) => {
      const { seq, at, type, run } = row;
      sql(APPEND).run(session, seq, at, type, run ?? null, json);
      if (type === "turn.started" || type === "turn.completed") sql(TOUCH).run(at, session);
      else if (type === "session.updated" && row.payload.title !== undefined)
        sql(TITLE).run(row.payload.title, at, session);
      else if (type === "run.started" || type === "run.completed") keepRun(sql, session, row);
    },
    before: (session, before, limit, types) =>
      (types === null
        ? sql(BEFORE).all(session, before, limit)
        : sql(OF_TYPES).all(session, before, JSON.stringify(types), limit)
      ).map(exchangeOf),
    outline: ({ session, after, until }, without) => ({
      times: JSON.parse(sql(TIMES).get(session, after, until)?.["times"] as string),
      rows: sql(WITHOUT).all(session, after, until, JSON.stringify(without)).map(exchangeOf),
    }),
    firstOf: (session, run) => sql(FIRST).get(session, run) as Head | undefined,
    isAnswered: (session, input) => sql(ANSWERED).get(session, input) !== undefined,
  };
}

export const exchangeOf = ({ row, seq, at }: Record<string, unknown>): Exchange => ({
  ...(JSON.parse(row as string) as Row),
  seq: seq as number,
  at: at as number,
});
