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

/** The invariants of the machines' heads that can be read from the rows. */
export function check(rows: readonly Row[]): void {
  const started = new Map<string, number>();
  const runs = new Map<string, "open" | "over">();
  checkQuestions(rows);
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
