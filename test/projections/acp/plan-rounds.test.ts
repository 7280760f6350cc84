/** A step of rounds in the plan (I5). */
import { describe, expect, test } from "vitest";
import { begins, ends, planOf, shown } from "./plans.ts";

describe("a step of rounds (I5)", () => {
  test("is in progress while it is in any, named by an item, with how many besides", () => {
    const plan = planOf("each", "look");
    begins(plan, "each");
    begins(plan, "each/0.look", { item: "a.ts", of: 3 });
    expect(shown(plan)).toEqual(["each (1 of 3)=in_progress", "look [a.ts]=in_progress"]);
    begins(plan, "each/2.look", { item: "c.ts", of: 3 });
    expect(shown(plan)).toEqual(["each (3 of 3)=in_progress", "look [a.ts] and 1 more=in_progress"]);
    begins(plan, "each/1.look", { item: "b.ts", of: 3 });
    ends(plan, "each/0.look");
    expect(shown(plan)).toEqual(["each (3 of 3)=in_progress", "look [c.ts] and 1 more=in_progress"]);
    ends(plan, "each/1.look");
    ends(plan, "each/2.look");
    expect(shown(plan)).toEqual(["each (3 of 3)=in_progress", "look=completed"]);
  });

  test("without a name of its own is counted beside one that has one", () => {
    const plan = planOf("each", "look");
    begins(plan, "each/0.look", { of: 2 });
    expect(shown(plan)?.at(-1)).toBe("look=in_progress");
    begins(plan, "each/1.look", { item: "b.ts", of: 2 });
    expect(shown(plan)?.at(-1)).toBe("look [b.ts] and 1 more=in_progress");
  });

  test("says how many rounds have failed, each once; a step that is no round counts nowhere", () => {
    const plan = planOf("each", "look", "mend");
    begins(plan, "each");
    for (const round of [0, 1]) begins(plan, `each/${round}.look`, { of: 9 });
    for (const round of [0, 1]) ends(plan, `each/${round}.look`, round === 0 ? "failed" : "completed");
    begins(plan, "each/0.mend", { of: 9 });
    ends(plan, "each/0.mend", "failed");
    expect(shown(plan)?.[0]).toBe("each (2 of 9, 1 failed)=in_progress");
    begins(plan, "each/mend");
    ends(plan, "each/mend", "failed");
    expect(shown(plan)?.[0]).toBe("each (2 of 9, 1 failed)=in_progress");
  });

  test("a loop that is tried again counts anew", () => {
    const plan = planOf("each", "look");
    begins(plan, "each");
    begins(plan, "each/4.look", { of: 9 });
    ends(plan, "each/4.look", "failed");
    begins(plan, "each@2/0.look", { of: 9 });
    expect(shown(plan)?.[0]).toBe("each (1 of 9)=in_progress");
  });

  test("a round of a step that the plan does not name changes the others not", () => {
    const plan = planOf("look");
    begins(plan, "hidden/0.look", { of: 2 });
    expect(shown(plan)).toEqual(["look=in_progress"]);
    ends(plan, "hidden/0.look", "failed");
    expect(shown(plan)).toEqual(["look (failed)=completed"]);
  });

  test("a step that comes again after it has failed is in progress again", () => {
    const plan = planOf("a");
    begins(plan, "a");
    ends(plan, "a", "failed");
    expect(shown(plan)).toEqual(["a (failed)=completed"]);
    begins(plan, "a#2");
    expect(shown(plan)).toEqual(["a=in_progress"]);
  });
});
