import { expect, it } from "vitest";
import type { StateResults } from "../../../machines/model.ts";
import {
  type Changed,
  overlapsIn,
  overlapsOf,
  overlapsText,
  withChanged,
} from "../../../machines/worktree/overlaps.ts";

const left = (...changed: string[]): StateResults[string] => ({
  ...{ Output: "", Stderr: "", ExitCode: 0, Status: "completed" },
  Worktree: { branch: "b", path: "/t", changed, commits: [], merged: false, conflicts: [] },
});

it("are the files that several have changed, each with the others", () => {
  let changed: Changed | undefined;
  const branches = { first: left("a", "b"), second: left("b", "c"), third: left(), fourth: left("b", "a") };
  for (const name of Object.keys(branches)) changed = withChanged(changed, name, branches).changed;
  const all = overlapsIn(changed ?? {});
  expect(overlapsOf(all, "first")).toEqual([
    { file: "a", with: ["fourth"] },
    { file: "b", with: ["second", "fourth"] },
  ]);
  expect(overlapsOf(all, "second")).toEqual([{ file: "b", with: ["first", "fourth"] }]);
  expect(overlapsOf(all, "third")).toEqual([]);
  expect(overlapsText(all)).toBe("a (first, fourth); b (first, second, fourth)");
});
