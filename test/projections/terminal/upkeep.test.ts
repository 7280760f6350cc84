import { expect, test } from "vitest";
import { collectedLines } from "../../../projections/terminal/upkeep.ts";

const MB = 1024 ** 2;
const collected = { sessions: 2, runs: 5, kept: 7, bytes: { before: 30 * MB, after: 10.5 * MB }, free: 0 };

test("what was removed, and what stays", () => {
  expect(collectedLines(collected, false)).toEqual(["Removed 5 runs of 2 sessions. 7 runs stay, 10.5 MB of 30.0 MB."]);
  expect(collectedLines(collected, true)).toEqual([
    "Would remove 5 runs of 2 sessions. 7 runs stay, about 10.5 MB of 30.0 MB.",
  ]);
});

test("one is one", () => {
  const one = { ...collected, sessions: 1, runs: 1, kept: 1 };
  expect(collectedLines(one, false)).toEqual(["Removed 1 run of 1 session. 1 run stays, 10.5 MB of 30.0 MB."]);
});

test("where there is nothing to remove, it says so", () => {
  expect(collectedLines({ ...collected, sessions: 0 }, false)).toEqual(["Nothing is to be removed: 7 runs, 30.0 MB."]);
});

test("free room within the file is told from a megabyte on", () => {
  expect(collectedLines({ ...collected, free: MB }, false)).toHaveLength(1);
  expect(collectedLines({ ...collected, free: 2 * MB }, false).slice(1)).toEqual([
    "2.0 MB of the file are free for new runs: this store's form gives no room back to the disk.",
  ]);
});
