/** Covers `budgeting.ts`, `weighing.ts`: a step at a limit asks, stops, or goes on with its next model; and `rows.ts`. */
import { describe, expect, test } from "vitest";
import type { Held, Limits } from "../../../machines/budget/budget.ts";
import type { Standing } from "../../../machines/budget/weighed.ts";
import { endRow, passedOverRow, retryRow, startRow } from "../../../machines/step/rows.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { agent, BAD, stepBirth, worked } from "../../support/documents.ts";
import { CRASH, cancel, resume, Solo } from "../../support/machine.ts";

type OnBudget = NonNullable<Held["onBudget"]>;
const LIMITS: Limits = { tokens: 100 };
const ORIGIN = stepBirth(agent("work")).origin;
const held = (onBudget: OnBudget): Held => ({
  ...{ limits: LIMITS, onBudget, of: "step", name: "work" },
  ...{ run: ORIGIN.run, step: ORIGIN.step },
});
const standing = (onBudget: OnBudget, more: Partial<Standing> = {}): Standing => ({
  ...{ held: held(onBudget), limit: "tokens", most: 100, spent: 120 },
  ...more,
});
const UNPRICED: Partial<Standing> = { limit: "unpriced", models: ["m", "n"] };
const NEXT: Partial<AgentNode> = { fallback: [{ model: "small" }, { provider: "other" }] };
/** Where it is within its attempt, or outside of one. */
const placeOf = ({ value }: Solo): unknown =>
  typeof value === "object" && value !== null && "attempting" in value ? value.attempting : value;
/** A step that has reached a limit before its first turn. */
function reached(onBudget: OnBudget, more: Partial<Standing> = {}, node: Partial<AgentNode> = {}) {
  const solo = new Solo(stepMachine, "step/1", stepBirth(agent("work", { budget: { limits: LIMITS }, ...node })));
  const did = solo.done("weigh", { reached: standing(onBudget, more), near: [] });
  return { solo, did };
}
const payloads = ({ rows }: Solo, from: number) => rows.slice(from).map(({ type, payload }) => ({ type, ...payload }));
const begun = 1;
const raised = (to: number, limit = "tokens") => ({
  ...{ type: "budget.noted", is: "raised", limit, to },
  budget: expect.any(String),
});

test("is weighed with the budgets that hold for it; one without a budget is not", () => {
  const solo = new Solo(stepMachine, "step/1", stepBirth(agent("work", { budget: { limits: LIMITS } })));
  expect(solo.input("weigh")).toEqual({
    origin: ORIGIN,
    name: "work",
    budgets: [{ limits: LIMITS, of: "step", name: "work", run: ORIGIN.run, step: ORIGIN.step }],
  });
  expect(solo.done("weigh", { reached: null, near: [] }).at(-1)).toBe("spawn work work");
  expect(new Solo(stepMachine, "step/1", stepBirth(agent("work"))).running).toEqual(["work"]);
});

describe("asks a person", () => {
  const question = { run: ORIGIN.run, step: ORIGIN.step, kind: "other", timeoutMs: null };
  const stop = { id: "stop", name: "Stop here; it can be resumed", kind: "reject_once" };
  const once = (id: string, name: string) => ({ id, name, kind: "allow_once" });
  test("with what is spent, and what may be done", () => {
    const { solo, did } = reached("ask");
    expect([placeOf(solo), did]).toEqual(["exceeding", ["untimer limit", "spawn permission permission"]]);
    expect(solo.input("permission")).toEqual({
      ...question,
      title: 'Go on with step "work" over its budget?',
      message: `The budget of step "work" is spent: 120 tokens of 100 tokens. The agent's next turn has not begun.`,
      options: [once("more", "Go on, up to 220 tokens"), stop],
      input: { budget: 'the budget of step "work"', spent: "120 tokens" },
    });
    expect(reached("ask", { most: 300 }).solo.input("permission")).toMatchObject({
      options: [{ name: "Go on, up to 400 tokens" }, stop],
    });
    expect(reached("ask", {}, NEXT).solo.input("permission")).toMatchObject({
      options: [{ id: "more" }, { id: "next", name: expect.stringContaining("small"), kind: "allow_once" }, stop],
    });
  });

  test("while its time limit stands still: it begins anew with the answer (I3)", () => {
    const { solo } = reached("ask", {}, { ...NEXT, timeoutMs: 5 });
    for (const event of [resume("ask"), { type: "run.rested" }, { type: "run.woken" }])
      expect(solo.tell(event)).not.toContain("timer 5");
    expect(solo.done("permission", { outcome: "selected", option: "more" })).toContain("timer 5");
    solo.done("weigh", { reached: standing("ask"), near: [] });
    expect(solo.done("permission", { outcome: "selected", option: "next" })).toContain("timer 5");
  });

  test("about what has no price", () => {
    expect(reached("ask", UNPRICED).solo.input("permission")).toEqual({
      ...question,
      title: 'Go on with step "work" over its budget?',
      message:
        'The budget of step "work" has a limit of cost, and there is no price for m, n: what was used of it is not counted as free. The agent\'s next turn has not begun.',
      options: [once("more", "Go on without counting it"), stop],
      input: { budget: 'the budget of step "work"', spent: ["m", "n"] },
    });
  });

  test("and goes on with more, with its next model, or stops", () => {
    const answer = (option: string | null, more: Partial<Standing> = {}) => {
      const { solo } = reached("ask", more, NEXT);
      solo.done("permission", option === null ? { outcome: "cancelled" } : { outcome: "selected", option });
      return { value: placeOf(solo), rows: payloads(solo, begun) };
    };
    expect(answer("more")).toEqual({ value: "weighing", rows: [raised(220)] });
    expect(answer("more", UNPRICED)).toEqual({ value: "weighing", rows: [raised(0, "unpriced")] });
    expect(answer("next")).toMatchObject({ value: "weighing", rows: [{ type: "notice" }, raised(220)] });
    expect([answer("stop").value, answer(null).value]).toEqual(["spent", "spent"]);
    const { solo } = reached("ask");
    solo.fail("permission", CRASH);
    expect(placeOf(solo)).toBe("spent");
  });
});

describe("stops", () => {
  const stopped = (more: Partial<Standing>, code: string, words: string, to: object) => {
    const { solo } = reached("stop", more);
    expect([placeOf(solo), payloads(solo, begun)]).toEqual([
      "spent",
      [
        { type: "notice", severity: "error", code, message: `step "work" stops: ${words}` },
        { type: "budget.noted", is: "stopped", ...to },
      ],
    ]);
    return solo;
  };
  test("and says how the run goes on", () => {
    stopped(
      {},
      "EXECUTION.BUDGET.REACHED",
      `the budget of step "work" is spent: 120 tokens of 100 tokens; to go on, give a higher limit: troupe resume ${ORIGIN.run} --budget tokens=220`,
      { limit: "tokens", to: 220 },
    );
    stopped(
      { ...UNPRICED, most: 3 },
      "EXECUTION.BUDGET.UNPRICED",
      `the budget of step "work" has a limit of cost, and there is no price for m, n: what was used of it is not counted as free; give a price under "prices" in the configuration, or go on without counting it: troupe resume ${ORIGIN.run} --budget cost_usd=3`,
      { limit: "costUsd", to: 3 },
    );
  });

  test("and is weighed anew when its run is resumed, with the limits that were given", () => {
    const resumed = (more: Partial<Standing>, budget: Limits | undefined) => {
      const { solo } = reached("stop", more);
      const from = solo.rows.length;
      solo.tell({ type: "resume.requested", recover: "rerun", ...(budget === undefined ? {} : { budget }) } as never);
      return [placeOf(solo), solo.running, payloads(solo, from)];
    };
    const weighs = (...rows: object[]) => ["weighing", ["weigh"], rows];
    expect(resumed({}, undefined)).toEqual(weighs());
    expect(resumed({}, { costUsd: 5 })).toEqual(weighs());
    expect(resumed({}, { tokens: 500 })).toEqual(weighs(raised(500)));
    expect(resumed({ ...UNPRICED, most: 3 }, { costUsd: 9 })).toEqual(weighs(raised(3, "unpriced")));
    expect(resumed(UNPRICED, { tokens: 9 })).toEqual(weighs());
  });

  test("and ends with a cancel", () => {
    const { solo } = reached("stop");
    expect(solo.tell(cancel).at(-1)).toBe("row step.completed");
    expect(solo.output).toMatchObject({ outcome: { status: "cancelled" } });
  });
});

describe("goes on with its next model by itself", () => {
  test("where the file says so and there is one, and says why", () => {
    const { solo } = reached("fallback_model", {}, NEXT);
    expect([placeOf(solo), payloads(solo, begun)]).toEqual([
      "weighing",
      [
        {
          ...{ type: "notice", severity: "warning", code: "EXECUTION.BUDGET.REACHED" },
          message: expect.stringMatching(
            /^step "work" goes on with .*small.*: the budget of step "work" is spent: 120 tokens of 100 tokens$/,
          ),
        },
        raised(220),
      ],
    ]);
    solo.done("weigh", { reached: standing("fallback_model"), near: [] });
    expect(payloads(solo, begun + 2)).toMatchObject([{ message: expect.stringContaining("other") }, raised(220)]);
    solo.done("weigh", { reached: standing("fallback_model"), near: [] });
    expect(placeOf(solo)).toBe("exceeding");
  });

  test("not for what has no price, nor where none is left", () => {
    expect([placeOf(reached("fallback_model", UNPRICED, NEXT).solo), placeOf(reached("fallback_model").solo)]).toEqual([
      "exceeding",
      "exceeding",
    ]);
  });
});

test("what was cut off before it could begin is weighed anew when its run is resumed", () => {
  const solo = new Solo(stepMachine, "step/1", stepBirth(agent("work", { budget: { limits: LIMITS } })));
  solo.fail("weigh", CRASH);
  expect(placeOf(solo)).toBe("unweighed");
  solo.tell({ type: "resume.requested", recover: "rerun" } as never);
  expect([placeOf(solo), solo.running]).toEqual(["weighing", ["weigh"]]);
});

test("the rows by which a step begins, tries again, is passed over and ends", () => {
  const birth = stepBirth(agent("work", { description: "Does it" }));
  const place = { run: ORIGIN.run, step: ORIGIN.step };
  const round = { item: "x", of: 3 } as never;
  const start = { name: "work", kind: "agent", title: "Does it", parallel: ORIGIN.parallel };
  expect(startRow(birth)).toEqual({ type: "step.started", ...place, payload: start });
  expect(startRow({ ...stepBirth(agent("work")), round })).toEqual({
    ...{ type: "step.started", ...place },
    payload: { ...start, title: "work", round },
  });
  expect(passedOverRow(birth, { code: "X", message: "no need" })).toEqual({
    ...{ type: "notice", ...place },
    payload: { severity: "warning", code: "X", message: "no need: it was skipped" },
  });
  const end = (outcome: object, states: object) => endRow({ birth, judgement: { outcome, states } } as never).payload;
  const error = { code: "X", message: "m" };
  expect([
    end({ status: "completed", exitCode: 0 }, {}),
    end({ status: "completed", exitCode: 0 }, { work: { Status: "skipped" } }),
    end({ status: "failed", exitCode: 2, error }, { work: { Status: "failed" } }),
  ]).toEqual([
    { name: "work", kind: "agent", status: "completed", exitCode: 0 },
    { name: "work", kind: "agent", status: "skipped", exitCode: 0 },
    { name: "work", kind: "agent", status: "failed", exitCode: 2, error },
  ]);
  const again = retryRow({ birth, attempt: 2, judgement: worked(BAD) } as never);
  expect(again).toMatchObject({ type: "step.retrying", ...place, payload: { name: "work", attempt: 2 } });
});
