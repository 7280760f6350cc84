/** The runs in memory: what the rows of a log and the owner of a session make of them, and how they are found. */
import { beforeEach, describe, expect, test } from "vitest";
import { keepRun, runTable, settleRuns } from "../../../../actors/host/memory/runs.ts";
import { Tables } from "../../../../actors/host/memory/tables.ts";
import type { RunListing, RunPhase, RunRow, RunTable } from "../../../../actors/host/storage.ts";
import type { Key } from "../../../../machines/model.ts";

const S: Key = "session/s";
const T: Key = "session/t";
const ROW: RunRow = {
  ...{ run: "r", session: S, workflow: "w", parentRun: null, begun: { seq: 1, at: 10 } },
  ...{ phase: "open", ended: null },
};

let tables: Tables;
let runs: RunTable;
beforeEach(() => {
  tables = new Tables();
  runs = runTable(tables);
  const row = { owner: "me", cwd: "/w", title: null, updated: 0, epoch: 1 };
  tables.sessions.set(S, { ...row, session: S, principal: "ann" });
  tables.sessions.set(T, { ...row, session: T, principal: "" });
});
const keep = (row: Partial<RunRow> & { run: string }): void => tables.runs.set(row.run, { ...ROW, ...row });
const rows = (): RunRow[] => tables.runs.values();

describe("the log begins and ends runs", () => {
  const note = (type: string, seq: number, payload: object, more: object = { run: "r" }): void =>
    keepRun(tables, S, { type, seq, at: seq * 10, payload, ...more } as never);
  test("a run is open from its first row, and has its end from its last one", () => {
    note("run.started", 1, { workflow: "w" });
    expect(rows()).toEqual([ROW]);
    note("run.completed", 4, { workflow: "w", status: "failed" });
    expect(rows()).toEqual([{ ...ROW, phase: "failed", ended: 4 }]);
  });
  test("a second beginning changes nothing", () => {
    note("run.started", 1, { workflow: "w" });
    note("run.started", 2, { workflow: "v" }, { run: "r", parentRun: "p" });
    expect(rows()).toEqual([ROW]);
  });
  test("a called run has its caller, one that ends without a beginning has none", () => {
    note("run.started", 2, { workflow: "v" }, { run: "called", parentRun: "r" });
    note("run.completed", 3, { workflow: "w", status: "cancelled" }, { run: "lost", parentRun: "r" });
    note("run.started", 4, { workflow: "w" }, {});
    expect(rows()).toEqual([
      { ...ROW, run: "called", workflow: "v", parentRun: "r", begun: { seq: 2, at: 20 } },
      { ...ROW, run: "lost", begun: null, phase: "cancelled", ended: 3 },
      { ...ROW, run: "", begun: { seq: 4, at: 40 } },
    ]);
  });
});

describe("open runs are parked with their session, and open when it is taken", () => {
  const settled = (owner: string | null, value: string | null, ...phases: RunPhase[]): RunPhase[] => {
    if (value !== null) {
      const actor = { session: S, parent: null, childId: "", nonce: 0, birth: "{}", snap: JSON.stringify({ value }) };
      tables.of(S).actors.set(S, actor);
    }
    for (const [at, phase] of phases.entries()) keep({ run: `${at}`, phase });
    keep({ run: "called", phase: phases[0] as RunPhase, parentRun: "0" });
    keep({ run: "of another", phase: phases[0] as RunPhase, session: T });
    settleRuns(tables, S, owner);
    return rows().map(({ phase }) => phase);
  };
  test("given up while its machine is parked", () => {
    expect(settled(null, "parked", "open", "parked", "failed")).toEqual(["parked", "parked", "failed", "open", "open"]);
  });
  test("given up while its machine is not parked, or gone", () => {
    expect(settled(null, "idle", "open", "parked")).toEqual(["open", "parked", "open", "open"]);
    expect(settled(null, null, "parked", "open")).toEqual(["parked", "open", "parked", "parked"]);
  });
  test("taken", () => {
    expect(settled("me", "parked", "parked", "open", "failed")).toEqual(["open", "open", "failed", "parked", "parked"]);
    expect(rows()[0]).toEqual({ ...ROW, run: "0" });
  });
  test("taken without a machine", () => {
    expect(settled("me", null, "parked")).toEqual(["open", "parked", "parked"]);
  });
});

test("a run is found by its id, or by how that begins, in order and of one principal", () => {
  for (const run of ["ab", "b", "ac", "aa"]) keep({ run });
  keep({ run: "at", session: T });
  keep({ run: "az", session: "session/gone" });
  expect([runs.find("b"), runs.find("c")]).toEqual([{ ...ROW, run: "b" }, undefined]);
  expect(runs.beginning("a", null, 9)).toEqual(["aa", "ab", "ac", "at", "az"]);
  expect(runs.beginning("a", null, 2)).toEqual(["aa", "ab"]);
  expect(runs.beginning("a", "ann", 9)).toEqual(["aa", "ab", "ac"]);
  expect(runs.beginning("a", "", 9)).toEqual(["at", "az"]);
});

test("a list has those that no other run called, newest first, then by id downwards", () => {
  const at = (time: number) => ({ seq: 1, at: time });
  keep({ run: "old", begun: at(5) });
  keep({ run: "a", begun: at(20) });
  keep({ run: "c", begun: at(20), phase: "failed" });
  keep({ run: "b", begun: at(20), workflow: "v" });
  keep({ run: "new", begun: at(30), session: T });
  keep({ run: "called", parentRun: "a" });
  keep({ run: "lost", begun: null });
  const listed = (listing: Partial<RunListing>): string[] =>
    [...runs.latest({ principal: null, workflow: null, phases: ["open", "failed"], until: 99, ...listing })].map(
      ({ run }) => run,
    );
  expect(listed({})).toEqual(["new", "c", "b", "a", "old"]);
  expect(listed({ principal: "ann" })).toEqual(["c", "b", "a", "old"]);
  expect(listed({ workflow: "v" })).toEqual(["b"]);
  expect(listed({ phases: ["open"] })).toEqual(["new", "b", "a", "old"]);
  expect(listed({ phases: ["failed"] })).toEqual(["c"]);
  expect(listed({ until: 20 })).toEqual(["c", "b", "a", "old"]);
  expect(listed({ until: 19 })).toEqual(["old"]);
});

test("all runs are there", () => {
  expect([runs.isWhole, runs.gather(1)]).toEqual([true, undefined]);
});
