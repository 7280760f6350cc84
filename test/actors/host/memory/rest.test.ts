/** Covers `rest.ts` of both storages: what rests. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../../machines/exchange.ts";
import { BOTH, opens, says, within } from "./both.ts";

const [A, B, C] = ["session/a", "session/b", "session/c"] as const;
const began = (run: string, parentRun?: string): Row => ({
  type: "run.started",
  run,
  ...(parentRun === undefined ? {} : { parentRun }),
  payload: { workflow: "w", plan: [], inputs: {} },
});
const ended = (run: string): Row => ({
  type: "run.completed",
  run,
  payload: { workflow: "w", status: "completed", exitCode: 0 },
});

describe.each(BOTH)("what rests %s", (kind) => {
  test("is every session without an open run, oldest first, with the runs that a list shows", () => {
    within(kind, (storage) => {
      opens(storage, C, "me", 7);
      opens(storage, B, "me", 7);
      opens(storage, A, "me", 9);
      const { rest } = storage;
      const shown = () => rest.resting().map(({ session, updated, runs }) => [session, updated, runs]);
      expect(shown()).toEqual([
        [B, 7, 0],
        [C, 7, 0],
        [A, 9, 0],
      ]);
      expect(rest.listedRuns()).toBe(0);
      for (const row of [began("r"), began("called", "r"), ended("called")]) says(storage, B, row);
      expect(shown()).toEqual([
        [C, 7, 0],
        [A, 9, 0],
      ]);
      expect([A, B].map(rest.hasOpenRun)).toEqual([false, true]);
      for (const row of [ended("r"), began("s"), ended("s"), ended("never began")]) says(storage, B, row);
      expect(shown()).toEqual([
        [B, 7, 2],
        [C, 7, 0],
        [A, 9, 0],
      ]);
      expect([rest.hasOpenRun(B), rest.listedRuns(), rest.orphans()]).toEqual([false, 2, []]);
    });
  });

  test("and in which order the last runs of sessions began, whatever the clock said", () => {
    within(kind, (storage) => {
      for (const [session, at] of [
        [A, 9],
        [B, 1],
        [C, 2],
      ] as const)
        opens(storage, session, "me", at);
      const begin = (session: typeof A | typeof B, run: string): void => {
        for (const row of [began(run), ended(run)]) says(storage, session, row);
      };
      for (const [session, run] of [
        [B, "z"],
        [A, "r"],
        [B, "a"],
        [A, "b"],
      ] as const)
        begin(session, run);
      const last = new Map(storage.rest.resting().map((one) => [one.session, one.last]));
      expect(last.get(C)).toBe(0);
      expect(last.get(B)).toBeGreaterThan(0);
      expect(last.get(A)).toBeGreaterThan(last.get(B) as number);
    });
  });

  test("a run that is parked is as open as any", () => {
    within(kind, (storage) => {
      opens(storage, A, "me", 1);
      says(storage, A, began("r"));
      storage.actors.save(A, '{"value":"parked"}');
      storage.sessions.leave(A, 1, null);
      const { rest, runs } = storage;
      expect([runs.find("r")?.phase, rest.resting(), rest.hasOpenRun(A)]).toEqual(["parked", [], true]);
    });
  });
});

test("what is in memory has no file, and nothing to give back", () => {
  within("in memory", ({ rest }) => {
    expect([rest.size(), rest.shrink(9)]).toEqual([{ used: 0, free: 0, shrinks: false }, undefined]);
  });
});
