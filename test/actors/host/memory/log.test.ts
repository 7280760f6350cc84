/** The logs in memory: what a row adds to its session, and how rows are read again. */
import { beforeEach, describe, expect, test } from "vitest";
import { logTable } from "../../../../actors/host/memory/log.ts";
import { Tables } from "../../../../actors/host/memory/tables.ts";
import type { LogTable } from "../../../../actors/host/storage.ts";
import type { Exchange } from "../../../../machines/exchange.ts";
import type { Key } from "../../../../machines/model.ts";

const S: Key = "session/s";
const SESSION = { session: S, owner: "me", cwd: "/w", principal: "", title: "old", updated: 1, epoch: 1 };

let tables: Tables;
let log: LogTable;
beforeEach(() => {
  tables = new Tables();
  log = logTable(tables);
  tables.sessions.set(S, SESSION);
});
const append = (type: string, payload: object = {}, more: object = {}, session = S): Exchange => {
  const seq = log.head(session).seq + 1;
  const row = { type, payload, ...more };
  const exchange = { ...row, seq, at: seq * 10 } as unknown as Exchange;
  log.append(session, exchange, JSON.stringify(row));
  return exchange;
};
const five = (): Exchange[] =>
  ["turn.started", "notice", "text", "notice", "turn.completed"].map((type, at) => append(type, { text: `${at}` }));

test("an empty log has no rows and begins at 0", () => {
  expect([log.head(S), log.rows(S, 0, 9), log.page(S, 0, { rows: 9, chars: 9 })]).toEqual([
    { seq: 0, at: 0 },
    [],
    { rows: [], isLast: true },
  ]);
  expect([log.before(S, 9, 9, null), log.outline({ session: S, after: 0, until: 9 }, [])]).toEqual([
    [],
    { times: [], rows: [] },
  ]);
  expect([log.firstOf(S, "r"), log.isAnswered(S, "i")]).toEqual([undefined, false]);
});

test("rows come as they were added, each with its place and its time", () => {
  const all = five();
  expect(log.head(S)).toEqual({ seq: 5, at: 50 });
  expect([log.rows(S, 0, 9), log.rows(S, 1, 2), log.rows(S, 5, 9)]).toEqual([all, all.slice(1, 3), []]);
  expect(log.rows(S, 0, 1)[0]).not.toBe(log.rows(S, 0, 1)[0]);
  expect(log.rows("session/t", 0, 9)).toEqual([]);
});

test("what is kept beside a row's text is found without reading it", () => {
  append("notice");
  append("step.started", {}, { run: "r" });
  const text = (row: object) => ({ json: JSON.stringify(row) });
  expect(tables.read(S).log.all).toEqual([
    { seq: 1, at: 10, type: "notice", ...text({ type: "notice", payload: {} }) },
    { seq: 2, at: 20, type: "step.started", run: "r", ...text({ type: "step.started", payload: {}, run: "r" }) },
  ]);
  expect(Object.keys(tables.read(S).log.all[0] ?? {})).toEqual(["seq", "at", "type", "json"]);
});

test("a page ends after so many rows or so many characters, and has one row at least", () => {
  const all = five();
  const size = (seq: number): number => tables.read(S).log.all[seq - 1]?.json.length ?? 0;
  const page = (after: number, rows: number, chars = 10_000) => log.page(S, after, { rows, chars });
  expect(page(0, 9)).toEqual({ rows: all, isLast: true });
  expect(page(0, 5)).toEqual({ rows: all, isLast: false });
  expect(page(3, 3)).toEqual({ rows: all.slice(3), isLast: true });
  expect(page(1, 2)).toEqual({ rows: all.slice(1, 3), isLast: false });
  expect(page(0, 9, 1)).toEqual({ rows: all.slice(0, 1), isLast: false });
  expect(page(0, 9, size(1) + size(2))).toEqual({ rows: all.slice(0, 2), isLast: false });
  expect(page(0, 9, size(1) + size(2) + 1)).toEqual({ rows: all.slice(0, 3), isLast: false });
});

test("rows before one come newest first, of some types or of all", () => {
  const all = five();
  const seqs = (before: number, limit: number, types: readonly string[] | null = null) =>
    log.before(S, before, limit, types as never).map(({ seq }) => seq);
  expect(log.before(S, 3, 9, null)).toEqual([all[1], all[0]]);
  expect([seqs(6, 9), seqs(6, 2), seqs(5, 1), seqs(1, 9), seqs(0, 9), seqs(-1, 9)]).toEqual([
    [5, 4, 3, 2, 1],
    [5, 4],
    [4],
    [],
    [],
    [],
  ]);
  expect([seqs(9, 9, ["notice"]), seqs(4, 9, ["notice"]), seqs(9, 2, ["notice", "text"]), seqs(9, 9, [])]).toEqual([
    [4, 2],
    [2],
    [4, 3],
    [],
  ]);
});

test("an outline has the times of all rows, and those that are not left out", () => {
  const all = five();
  expect(log.outline({ session: S, after: 1, until: 4 }, ["notice"])).toEqual({ times: [20, 30, 40], rows: [all[2]] });
  expect(log.outline({ session: S, after: 0, until: 9 }, [])).toEqual({ times: [10, 20, 30, 40, 50], rows: all });
});

test("the first row of a run is found", () => {
  append("notice");
  append("notice", {}, { run: "r" });
  append("notice", {}, { run: "r" });
  append("notice", {}, { run: "s" });
  expect(["r", "s", "t"].map((run) => log.firstOf(S, run))).toEqual([
    { seq: 2, at: 20 },
    { seq: 4, at: 40 },
    undefined,
  ]);
});

test("an input is answered by a row of its own", () => {
  append("input.asked", { input: "i" });
  expect(log.isAnswered(S, "i")).toBe(false);
  append("input.answered", { input: "j" });
  append("input.answered", { input: "i" });
  expect(["i", "j", "k"].map((input) => log.isAnswered(S, input))).toEqual([true, true, false]);
});

describe("a row goes to what stands beside the log", () => {
  const sessionAfter = (type: string, payload: object = {}, more: object = {}) => {
    append(type, payload, more);
    return tables.sessions.get(S);
  };
  test("the time of a turn, to a second", () => {
    tables.sessions.set(S, { ...SESSION, updated: -990 });
    expect(sessionAfter("turn.started")).toEqual({ ...SESSION, updated: 10 });
    expect(sessionAfter("turn.completed")).toEqual({ ...SESSION, updated: 10 });
    tables.sessions.set(S, { ...SESSION, updated: -970 });
    expect(sessionAfter("notice", { title: "none" })).toEqual({ ...SESSION, updated: -970 });
    tables.sessions.set(S, { ...SESSION, updated: -959 });
    expect(sessionAfter("turn.completed")).toEqual({ ...SESSION, updated: -959 });
    expect(sessionAfter("turn.completed")).toEqual({ ...SESSION, updated: 50 });
  });
  test("a title", () => {
    expect(sessionAfter("session.updated", { mode: "x" })).toEqual(SESSION);
    expect(sessionAfter("session.updated", { title: "new" })).toEqual({ ...SESSION, title: "new", updated: 20 });
    expect(sessionAfter("session.updated", { title: null })).toEqual({ ...SESSION, title: null, updated: 30 });
  });
  test("a run", () => {
    append("step.started", { workflow: "v" }, { run: "none" });
    append("run.started", { workflow: "w" }, { run: "r" });
    const begun = { run: "r", session: S, workflow: "w", parentRun: null, begun: { seq: 2, at: 20 } };
    expect(tables.runs.values()).toEqual([{ ...begun, phase: "open", ended: null }]);
    append("run.completed", { workflow: "w", status: "completed" }, { run: "r" });
    expect(tables.runs.values()).toEqual([{ ...begun, phase: "completed", ended: 3 }]);
    expect(tables.sessions.get(S)).toEqual(SESSION);
  });
  test("no session, where there is none", () => {
    append("turn.started", {}, {}, "session/t");
    append("session.updated", { title: "new" }, {}, "session/t");
    expect([log.head("session/t"), tables.sessions.values()]).toEqual([{ seq: 2, at: 20 }, [SESSION]]);
  });
});
