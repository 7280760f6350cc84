/**
 * The logs in memory: rows as JSON, so that who reads one has it for itself.
 *
 * I1. The row of seq n is the n-th of its session.
 */
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { type LogTable, UPDATED_MS } from "../storage.ts";
import { keepRun } from "./runs.ts";
import type { LogRow, Tables } from "./tables.ts";

export function logTable(tables: Tables): LogTable {
  const all = (session: Key): LogRow[] => tables.read(session).log.all;
  return {
    head: (session) => headOf(all(session).at(-1)) ?? { seq: 0, at: 0 },
    rows: (session, after, limit) =>
      all(session)
        .slice(after, after + limit)
        .map(exchangeOf),
    page: (session, after, size) => {
      const rows: Exchange[] = [];
      let chars = 0;
      for (const row of all(session).slice(after, after + size.rows)) {
        rows.push(exchangeOf(row));
        chars += row.json.length;
        if (chars >= size.chars) return { rows, isLast: false };
      }
      return { rows, isLast: rows.length < size.rows };
    },
    append: (session, exchange, json) => {
      const { seq, at, type, run } = exchange;
      const row: LogRow = { seq, at, type, ...(run === undefined ? {} : { run }), json };
      tables.of(session).log.add(row);
      if (type === "run.started" || type === "run.completed") keepRun(tables, session, exchange);
      const about = tables.sessions.get(session);
      if (about === undefined) return;
      if (type === "turn.started" || type === "turn.completed") {
        if (Math.abs(about.updated - at) >= UPDATED_MS) tables.sessions.set(session, { ...about, updated: at });
      } else if (type === "session.updated" && exchange.payload.title !== undefined)
        tables.sessions.set(session, { ...about, title: exchange.payload.title, updated: at });
    },
    before: (session, before, limit, types) =>
      all(session)
        .slice(0, Math.max(0, before - 1))
        .filter(({ type }) => types === null || types.includes(type))
        .slice(-limit)
        .reverse()
        .map(exchangeOf),
    outline: ({ session, after, until }, without) => {
      const found = all(session).slice(after, until);
      return {
        times: found.map(({ at }) => at),
        rows: found.filter(({ type }) => !without.includes(type)).map(exchangeOf),
      };
    },
    firstOf: (session, run) => headOf(all(session).find((row) => row.run === run)),
    isAnswered: (session, input) =>
      all(session).some((row) => {
        if (row.type !== "input.answered") return false;
        const exchange = exchangeOf(row);
        return exchange.type === "input.answered" && exchange.payload.input === input;
      }),
  };
}

const headOf = (row: LogRow | undefined) => row && { seq: row.seq, at: row.at };
const exchangeOf = ({ json, seq, at }: LogRow): Exchange => ({ ...(JSON.parse(json) as Row), seq, at });
