/** The plan of a run as an editor is told it: when, of what, and to whom. */
import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { CARD_INTERVAL_MS } from "../../../projections/acp/cards.ts";
import { LONG_PLAN, Plan } from "../../../projections/acp/plan.ts";
import type { View } from "../../../projections/acp/view.ts";
import { at, begins, type Entries, ends, entriesOf, entry, planOf, shown } from "./plans.ts";

const row = (type: string, step: string, payload: object, run = "r"): Exchange =>
  ({ ...at, type, run, step, payload }) as unknown as Exchange;
const uses = (plan: Plan, step: string, totalTokens: number, run = "r"): void =>
  plan.used(row("usage.recorded", step, { totalTokens }, run));

test("a plan is shown when it has begun, then only what has changed, once a batch (I3)", () => {
  const plan = planOf("a", "b");
  expect(shown(plan)).toEqual(["a=pending", "b=pending"]);
  expect(shown(plan)).toBeNull();
  begins(plan, "a");
  ends(plan, "a");
  begins(plan, "b");
  expect(shown(plan)).toEqual(["a=completed", "b=in_progress"]);
  expect(shown(plan)).toBeNull();
});

test("what is invisible in a title is written out", () => {
  const plan = new Plan();
  plan.start("r", [entry("a", "x\u202ey")]);
  expect(shown(plan)).toEqual(["x\\u202ey=pending"]);
});

test("steps of another run are no entries, whatever their names (I1)", () => {
  const plan = planOf("a");
  shown(plan);
  begins(plan, "a", undefined, "called");
  ends(plan, "a", "failed", "called");
  uses(plan, "a", 7, "called");
  plan.finish("called");
  expect(shown(plan)).toBeNull();
  begins(plan, "a");
  ends(plan, "a");
  expect(shown(plan)).toEqual(["a=completed"]);
});

test("a step that the plan does not name changes nothing", () => {
  const plan = planOf("a");
  shown(plan);
  begins(plan, "hidden");
  ends(plan, "hidden", "failed");
  expect(shown(plan)).toBeNull();
});

test("a second run begins with a plan of its own", () => {
  const plan = planOf("a");
  begins(plan, "a");
  uses(plan, "a", 7);
  plan.start("again", [entry("a"), entry("b")]);
  expect(shown(plan)).toEqual(["a=pending", "b=pending"]);
  begins(plan, "a", undefined, "again");
  uses(plan, "a", 3, "again");
  ends(plan, "a", "completed", "again");
  expect(shown(plan)).toEqual(["a (3 tokens)=completed", "b=pending"]);
});

describe("the end of a run (I2)", () => {
  test("what was never taken is gone, what was under way is cancelled, what is done stays", () => {
    const plan = planOf("done", "failed", "under way", "never");
    for (const step of ["done", "failed", "under way"]) begins(plan, step);
    ends(plan, "done");
    ends(plan, "failed", "failed");
    shown(plan);
    plan.finish("r");
    expect(shown(plan)).toEqual(["done=completed", "failed (failed)=completed", "under way (cancelled)=completed"]);
  });

  test("of one in which all is done, nothing is shown again", () => {
    const plan = planOf("a");
    begins(plan, "a");
    ends(plan, "a");
    shown(plan);
    plan.finish("r");
    expect(shown(plan)).toBeNull();
  });

  test("of one that took nothing, the plan is taken back", () => {
    const plan = planOf("a");
    shown(plan);
    plan.finish("r");
    expect(shown(plan)).toEqual([]);
  });

  test("what comes behind it belongs to no run", () => {
    const plan = planOf("a");
    begins(plan, "a");
    plan.finish("r");
    shown(plan);
    begins(plan, "a");
    ends(plan, "a");
    uses(plan, "a", 7);
    expect(shown(plan)).toBeNull();
  });
});

describe("a reader that comes later", () => {
  const told = (plan: Plan): Entries | null => {
    const views: View[] = [];
    plan.tell(0, views);
    return entriesOf(views);
  };

  test("is told the plan as it is, though nothing has changed", () => {
    const plan = planOf("a");
    shown(plan);
    expect(told(plan)).toEqual(["a=pending"]);
    expect(shown(plan)).toBeNull();
  });

  test("is told nothing where there is no plan", () => {
    expect(told(new Plan())).toBeNull();
  });
});

describe("what a step has used (I4)", () => {
  test("is said once it is completed", () => {
    const plan = planOf("a");
    begins(plan, "a");
    uses(plan, "a", 5);
    expect(shown(plan)).toEqual(["a=in_progress"]);
    ends(plan, "a");
    expect(shown(plan)).toEqual(["a (5 tokens)=completed"]);
  });

  test.each(["step.retrying", "input.answered"])(
    "the last word of an attempt counts, and each attempt by itself: %s",
    (type) => {
      const plan = planOf("a");
      begins(plan, "a");
      uses(plan, "a", 5);
      uses(plan, "a", 8);
      plan.used(row(type, "a", {}));
      uses(plan, "a", 2);
      ends(plan, "a");
      expect(shown(plan)).toEqual(["a (10 tokens)=completed"]);
    },
  );

  test("other rows tell of no use", () => {
    const plan = planOf("a");
    begins(plan, "a");
    plan.used(row("notice", "a", { totalTokens: 5 }));
    plan.used(row("step.retrying", "a", {}));
    ends(plan, "a");
    expect(shown(plan)).toEqual(["a=completed"]);
  });

  test("of all rounds is one sum, with why it was not completed before it", () => {
    const plan = planOf("each", "look");
    begins(plan, "each");
    for (const round of [0, 1]) {
      begins(plan, `each/${round}.look`, { of: 2 });
      uses(plan, `each/${round}.look`, 5);
      ends(plan, `each/${round}.look`, round === 1 ? "failed" : "completed");
    }
    expect(shown(plan)?.at(-1)).toBe("look (failed, 10 tokens)=completed");
  });
});

describe("a plan of many steps (I6)", () => {
  const names = Array.from({ length: LONG_PLAN + 1 }, (_, at) => `s${at}`);
  const longPlan = (): Plan => {
    const plan = planOf(...names);
    plan.begin(1_000);
    expect(shown(plan)).toHaveLength(names.length);
    begins(plan, "s0");
    return plan;
  };

  test("is sent at once, then at most once in an interval, with all that has changed", () => {
    const plan = longPlan();
    expect([shown(plan), plan.due()]).toEqual([null, CARD_INTERVAL_MS]);
    plan.begin(1_000 + CARD_INTERVAL_MS - 1);
    ends(plan, "s0");
    expect([shown(plan), plan.due()]).toEqual([null, 1]);
    plan.begin(1_000 + CARD_INTERVAL_MS);
    expect(plan.due()).toBe(0);
    expect(shown(plan)?.slice(0, 2)).toEqual(["s0=completed", "s1=pending"]);
    expect(plan.due()).toBeNull();
  });

  test("is sent with the end of its run, and with that of a turn that the run outlives", () => {
    const ended = longPlan();
    ended.finish("r");
    expect(shown(ended)).toEqual(["s0 (cancelled)=completed"]);
    const views: View[] = [];
    longPlan().settle(views);
    expect(entriesOf(views)?.[0]).toBe("s0=in_progress");
  });

  test("of no more than so many is sent with each change", () => {
    const plan = planOf(...names.slice(1));
    plan.begin(1_000);
    expect(shown(plan)).toHaveLength(LONG_PLAN);
    begins(plan, "s1");
    expect(shown(plan)?.[0]).toBe("s1=in_progress");
  });
});
