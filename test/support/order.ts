/** What the heads of the machines promise of the rows of a session, whatever happened in it. */
import { expect } from "vitest";
import type { Row } from "../../machines/exchange.ts";

/** One turn at a time, each ended; every question answered once at most, and every permission exactly once. */
function checkQuestions(rows: readonly Row[]): void {
  const permissions = new Map<string, "open" | "over">();
  const inputs = new Map<string, "open" | "over">();
  let turn: string | null = null;
  for (const { type, payload } of rows) {
    if (type === "turn.started") expect(turn, "a turn within a turn").toBeNull();
    if (type === "turn.completed") expect(payload.turn).toBe(turn);
    if (type === "turn.started" || type === "turn.completed") turn = type === "turn.started" ? payload.turn : null;
    if (type === "permission.requested") {
      expect(permissions.get(payload.permission), "asked after its answer").not.toBe("over");
      permissions.set(payload.permission, "open");
    }
    if (type === "permission.resolved") {
      expect(permissions.get(payload.permission)).toBe("open");
      permissions.set(payload.permission, "over");
    }
    if (type === "input.required") {
      expect(inputs.has(payload.input)).toBe(false);
      inputs.set(payload.input, "open");
    }
    if (type === "input.answered") {
      expect(inputs.get(payload.input)).toBe("open");
      inputs.set(payload.input, "over");
    }
  }
  expect([turn, [...permissions.values()].filter((state) => state === "open")]).toEqual([null, []]);
}

/** Each called run lies between the two rows of its call, which name the same step, workflow and end. */
function checkCalls(rows: readonly Row[]): void {
  const calls = new Map<string, { call: string; now: "called" | "begun" | "ended" | "over"; status?: string }>();
  const callOf = ({ run, step, payload }: Row) =>
    `${run} ${step} ${"workflow" in payload ? String(payload.workflow) : ""}`;
  for (const row of rows) {
    const { childRun = "", run = "", parentRun } = row;
    switch (row.type) {
      case "step.call_workflow.started":
        expect(calls.has(childRun), "called twice").toBe(false);
        calls.set(childRun, { call: callOf(row), now: "called" });
        break;
      case "run.started": {
        if (parentRun === undefined) break;
        const known = calls.get(run);
        expect(known).toEqual({ call: `${parentRun} ${row.parentStep} ${row.payload.workflow}`, now: "called" });
        if (known !== undefined) known.now = "begun";
        break;
      }
      case "run.completed": {
        const known = calls.get(run);
        expect(known?.now).toBe(parentRun === undefined ? undefined : "begun");
        if (known !== undefined) Object.assign(known, { now: "ended", status: row.payload.status });
        break;
      }
      case "step.call_workflow.completed":
        expect(calls.get(childRun)).toEqual({ call: callOf(row), now: "ended", status: row.payload.status });
        calls.set(childRun, { call: "", now: "over" });
        break;
      default:
    }
  }
  expect([...calls.values()].filter(({ now }) => now !== "over")).toEqual([]);
}

/** The invariants of the machines' heads that can be read from the rows. */
export function check(rows: readonly Row[]): void {
  const started = new Map<string, number>();
  const runs = new Map<string, "open" | "over">();
  checkQuestions(rows);
  checkCalls(rows);
  for (const row of rows) {
    if (row.run === undefined) continue;
    if (row.type === "run.started") {
      expect(runs.has(row.run)).toBe(false);
      runs.set(row.run, "open");
      continue;
    }
    expect(runs.get(row.run), `${row.type} of ${row.run} outside of its run`).toBe("open");
    if (row.type === "run.completed") {
      for (const [place, open] of started) if (place.startsWith(`${row.run} `)) expect(open, place).toBe(0);
      runs.set(row.run, "over");
    }
    const place = `${row.run} ${row.step}`;
    if (row.type === "step.started") {
      expect(started.has(place), `${place} starts twice`).toBe(false);
      started.set(place, 1);
    }
    if (row.type === "step.completed") {
      expect(started.get(place), `${place} ends without a start`).toBe(1);
      started.set(place, 0);
    }
  }
  expect([...started].filter(([, open]) => open !== 0)).toEqual([]);
  expect([...runs.values()].filter((state) => state === "open")).toEqual([]);
}
