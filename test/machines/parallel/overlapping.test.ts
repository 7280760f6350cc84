/** Branches in trees of their own that have changed the same files. Covers `overlapping.ts`, `overlaps.ts`. */
import { expect, test } from "vitest";
import type { StateResult, WorktreeResult } from "../../../machines/model.ts";
import { overlapRows, withBranchOverlaps } from "../../../machines/parallel/overlapping.ts";
import { type Changed, overlapsIn, overlapsText, withChanged } from "../../../machines/worktree/overlaps.ts";
import { OK, ORIGIN, parallel, result } from "../../support/documents.ts";

const tree = (changed: string[], more: object = {}): StateResult => ({
  ...result(OK),
  Worktree: { path: "/t", branch: "b", changed, ...more } as unknown as WorktreeResult,
});
const branches = (changed?: Changed) => ({
  birth: { origin: ORIGIN, node: parallel("fan", ["b", "a", "c", "plain"]) },
  ...(changed === undefined ? {} : { changed }),
});
const CHANGED = { a: ["x.ts", "y.ts"], b: ["x.ts", "z.ts"], c: ["x.ts", "y.ts"], stranger: ["z.ts"] };

test("each result names its files that others have changed, and the others in the author's order", () => {
  const states = { a: tree(CHANGED.a), b: tree(CHANGED.b), plain: result(OK), c: tree([]) };
  expect(withBranchOverlaps(states, branches(CHANGED))).toEqual({
    a: tree(CHANGED.a, {
      overlaps: [
        { file: "x.ts", with: ["b", "c"] },
        { file: "y.ts", with: ["c"] },
      ],
    }),
    b: tree(CHANGED.b, { overlaps: [{ file: "x.ts", with: ["a", "c"] }] }),
    plain: result(OK),
    c: tree([], {
      overlaps: [
        { file: "x.ts", with: ["b", "a"] },
        { file: "y.ts", with: ["a"] },
      ],
    }),
  });
});

test("the log says it once", () => {
  expect(overlapRows(branches(CHANGED))).toEqual([
    {
      ...{ type: "notice", run: ORIGIN.run, step: ORIGIN.step },
      payload: {
        severity: "warning",
        message: 'several branches of "fan" have changed the same files: x.ts (b, a, c); y.ts (a, c)',
      },
    },
  ]);
});

test("where no two have changed a file nothing is said, and nothing is changed", () => {
  const states = { a: tree(["x.ts"]), b: tree(["y.ts"]) };
  for (const apart of [branches(), branches({}), branches({ a: ["x.ts"], b: ["y.ts"] })]) {
    expect(withBranchOverlaps(states, apart)).toBe(states);
    expect(overlapRows(apart)).toEqual([]);
  }
});

test("of many files five are named", () => {
  const files = (count: number): string[] => Array.from({ length: count }, (_, index) => `f${index}`);
  const text = (count: number): string => overlapsText(overlapsIn({ a: files(count), b: files(count) }));
  expect(text(5)).toBe("f0 (a, b); f1 (a, b); f2 (a, b); f3 (a, b); f4 (a, b)");
  expect(text(7)).toBe("f0 (a, b); f1 (a, b); f2 (a, b); f3 (a, b); f4 (a, b); and 2 more files");
});

test("what a branch has changed is added to what others have", () => {
  const states = { a: tree(["x.ts"]), b: result(OK), c: tree([]) };
  expect(withChanged(undefined, "a", states)).toEqual({ changed: { a: ["x.ts"] } });
  expect(withChanged({ d: ["y.ts"] }, "a", states)).toEqual({ changed: { d: ["y.ts"], a: ["x.ts"] } });
  expect([withChanged(undefined, "b", states), withChanged(undefined, "c", states)]).toEqual([{}, {}]);
  expect(withChanged({ d: ["y.ts"] }, "b", states)).toEqual({ changed: { d: ["y.ts"] } });
});
