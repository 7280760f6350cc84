import { expect, test } from "vitest";
import { WHOLE_RUN } from "../../../machines/worktree/tree.ts";
import { leftoverOf, workOf } from "../../../machines/worktree/words.ts";

test.each([
  ["contest/second", "Work of step contest/second of run r1", "What step contest/second left uncommitted"],
  ["each/0.change", "Work of step each[1]/change of run r1", "What step each[1]/change left uncommitted"],
  ["outer/1.each/0.do", "Work of step outer[2]/each[1]/do of run r1", "What step outer[2]/each[1]/do left uncommitted"],
  [WHOLE_RUN, "Work of run r1", "What run r1 left uncommitted"],
])("the commits of the tree of %s name the step as every list does", (step, work, leftover) => {
  expect(workOf({ run: "r1", step })).toBe(work);
  expect(leftoverOf({ run: "r1", step })).toBe(leftover);
});
