/** Covers `reporting.ts`: spans of rows as they come, and what is read of a log for them. */
import fc from "fast-check";
import { from, lastValueFrom, toArray } from "rxjs";
import { expect, test } from "vitest";
import { beginning } from "../../../actors/facade/since.ts";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { TraceSpan } from "../../../projections/spans/span.ts";
import { spans } from "../../../projections/spans/spans.ts";
import { MOST_AT_REST, SpanReporting } from "../../../transports/telemetry/reporting.ts";

const OPENED: Row = { type: "session.opened", payload: { cwd: "/", principal: "p" } };
const NOTICE: Row = { type: "notice", payload: { severity: "info", message: "m" } };
const turn = (n: number): Row => ({ type: "turn.started", payload: { turn: `t${n}` } });
const turnEnd = (n: number): Row => ({ type: "turn.completed", payload: { turn: `t${n}`, stopReason: "end_turn" } });
const run = (n: number): Row => ({
  type: "run.started",
  run: `r${n}`,
  payload: { workflow: "w", turn: `t${n}`, plan: [], inputs: {} },
});
const runEnd = (n: number): Row => ({
  type: "run.completed",
  run: `r${n}`,
  payload: { workflow: "w", status: "completed", exitCode: 0 },
});

/** Hears rows of sessions, as a process that works on them does; counts the looks into their logs. */
function heard() {
  const taken: TraceSpan[] = [];
  const reads = { since: 0, rows: 0 };
  const logs = new Map<string, Exchange[]>();
  const reporting = new SpanReporting({ outer: null }, (some) => void taken.push(...some));
  const hear = (id: string, ...rows: Row[]): void => {
    const log = logs.get(id) ?? [];
    logs.set(id, log);
    for (const row of rows) {
      const exchange = { ...row, seq: log.length + 1, at: log.length };
      log.push(exchange);
      reporting.row(exchange, {
        id,
        rows: (after, limit) => {
          reads.rows++;
          return log.slice(after, after + limit);
        },
        since: (at) => {
          reads.since++;
          return beginning(log.slice(0, at).reverse(), at);
        },
      });
    }
  };
  return { hear, taken, reads, logs, reporting };
}

test("of a session that came to rest nothing is read for its next turn, whatever was said between them (I2)", () => {
  const { hear, reads, reporting } = heard();
  hear("s", NOTICE, turn(1), run(1), runEnd(1), turnEnd(1));
  const before = { ...reads };
  hear("s", NOTICE, NOTICE, turn(2), run(2));
  expect(reporting.open).toBe(1);
  hear("s", runEnd(2), turnEnd(2), turn(3));
  expect(reads).toEqual(before);
});

test("of a new session no more is read than what it said before its first turn (I2)", () => {
  const { hear, reads, taken } = heard();
  hear("s", OPENED, NOTICE, turn(1), turnEnd(1));
  expect(reads).toEqual({ since: 0, rows: 1 });
  expect(taken.map(({ name }) => name)).toEqual(["turn", "session"]);
});

test("a run that is open when its turn ends is read for the next one", () => {
  const { hear, reads, taken } = heard();
  hear("s", turn(1), run(1), turnEnd(1));
  const { since } = reads;
  hear("s", turn(2), runEnd(1), turnEnd(2));
  expect(reads.since).toBeGreaterThan(since);
  expect(taken.map(({ name }) => name)).toContain("run w");
});

test("rows of another process are read, and of the sessions that rested longest no more is known", () => {
  const { hear, reads, logs } = heard();
  const once = (id: string) => hear(id, turn(1), turnEnd(1));
  once("first");
  once("second");
  logs.get("second")?.push({ ...turn(2), seq: 3, at: 3 }, { ...turnEnd(2), seq: 4, at: 4 });
  const { since } = reads;
  hear("second", turn(3), turnEnd(3));
  expect(reads.since).toBe(since + 1);
  for (let at = 0; at < MOST_AT_REST; at++) once(`more${at}`);
  const before = reads.since;
  hear("first", turn(2));
  hear(`more${MOST_AT_REST - 1}`, turn(2));
  expect(reads.since).toBe(before + 1);
});

test("spans are those of the whole log, wherever sessions rest and runs park", async () => {
  const deed = fc.constantFrom("notice", "turn", "parks", "goes on");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("s", "u"), deed), { maxLength: 30 }), async (deeds) => {
      const { hear, taken, logs } = heard();
      let n = 0;
      const parked = new Map<string, number>();
      for (const [id, what] of deeds) {
        n++;
        const open = parked.get(id);
        if (what === "notice") hear(id, NOTICE);
        else if (open !== undefined && what === "goes on") {
          hear(id, turn(n), runEnd(open), turnEnd(n));
          parked.delete(id);
        } else if (open === undefined && what === "parks") {
          hear(id, turn(n), run(n), turnEnd(n));
          parked.set(id, n);
        } else if (open === undefined) hear(id, turn(n), run(n), runEnd(n), NOTICE, turnEnd(n));
      }
      for (const [id, log] of logs) {
        const all = await lastValueFrom(
          from(log.map((row) => [row])).pipe(spans({ session: id, outer: null }), toArray()),
        );
        const ids = new Set(all.flat().map((span) => span.id));
        expect(taken.filter((span) => ids.has(span.id))).toEqual(all.flat());
      }
    }),
  );
});
