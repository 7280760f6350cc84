/** What a parallel comes to, by its strategy and the ends of its branches. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../machines/model.ts";
import type { Strategy } from "../../../machines/workflow/document.ts";
import { BAD, OK, result, STOPPED, settled } from "../../support/documents.ts";
import { all, fan, partial } from "./fan.ts";

describe("strategies", () => {
  type Case = { strategy: Strategy; max: number; ends: [string, Outcome][]; effects: string[]; outcome: Outcome };
  const every = ["spawn step a", "spawn step b", "spawn step c"];
  const cases: Case[] = [
    {
      strategy: "all_succeed",
      max: 0,
      ends: [
        ["a", OK],
        ["b", OK],
        ["c", OK],
      ],
      effects: every,
      outcome: OK,
    },
    {
      strategy: "all_succeed",
      max: 0,
      ends: [
        ["a", OK],
        ["b", BAD],
        ["c", OK],
      ],
      effects: every,
      outcome: partial(1),
    },
    {
      strategy: "all_succeed",
      max: 0,
      ends: [
        ["c", BAD],
        ["a", STOPPED],
        ["b", BAD],
      ],
      effects: every,
      outcome: partial(1),
    },
    // A branch that has not begun is not begun any more.
    { strategy: "all_succeed", max: 1, ends: [["a", BAD]], effects: ["spawn step a"], outcome: partial(1) },
    {
      strategy: "all_succeed",
      max: 2,
      ends: [
        ["a", BAD],
        ["b", OK],
      ],
      effects: ["spawn step a", "spawn step b"],
      outcome: partial(1),
    },
    {
      strategy: "any_succeed",
      max: 0,
      ends: [
        ["a", BAD],
        ["b", OK],
        ["c", BAD],
      ],
      effects: every,
      outcome: OK,
    },
    {
      strategy: "any_succeed",
      max: 1,
      ends: [
        ["a", BAD],
        ["b", OK],
      ],
      effects: ["spawn step a", "spawn step b"],
      outcome: OK,
    },
    {
      strategy: "any_succeed",
      max: 0,
      ends: [
        ["a", BAD],
        ["b", BAD],
        ["c", BAD],
      ],
      effects: every,
      outcome: partial(3),
    },
    {
      strategy: "best_effort",
      max: 0,
      ends: [
        ["a", BAD],
        ["b", OK],
        ["c", BAD],
      ],
      effects: every,
      outcome: OK,
    },
    {
      strategy: "best_effort",
      max: 1,
      ends: [
        ["a", BAD],
        ["b", BAD],
        ["c", BAD],
      ],
      effects: every,
      outcome: OK,
    },
  ];
  it.each(cases)("$strategy, at most $max at once, $ends", ({ strategy, max, ends, effects, outcome }) => {
    const solo = fan({ strategy, maxConcurrent: max });
    for (const [name, end] of ends) {
      expect(solo.status).toBe("active");
      solo.done(name, settled(end));
    }
    expect(all(solo)).toEqual([...effects, "tell all cancel.requested"]);
    expect(solo.output).toEqual(settled(outcome));
  });

  it("cancels the others once the verdict is clear, and waits for them (I1)", () => {
    const solo = fan();
    expect(solo.done("a", settled(BAD))).toEqual(["tell all cancel.requested"]);
    expect(solo.done("b", settled(STOPPED))).toEqual([]);
    expect(solo.status).toBe("active");
    expect(solo.done("c", settled(STOPPED))).toEqual([]);
    expect(solo.status).toBe("done");
  });

  it("ignores a failure that its branch tolerates", () => {
    const solo = fan({}, ["soft", "a"]);
    solo.done("soft", settled(BAD));
    solo.done("a", settled(OK));
    expect(solo.output).toEqual(settled(OK));
  });

  it("does not count a tolerated failure as a success where one is needed", () => {
    const solo = fan({ strategy: "any_succeed" }, ["soft", "a"]);
    solo.done("soft", settled(BAD));
    expect(solo.output).toBeUndefined();
    solo.done("a", settled(BAD));
    expect(solo.output).toMatchObject({
      outcome: { status: "failed", error: { message: expect.stringContaining("2 of 2 branches") } },
    });
  });

  const NO: Outcome = { status: "skipped", exitCode: 0 };
  it.each([
    ["all_succeed", [NO, OK], "skipped"],
    ["all_succeed", [NO, BAD], "failed"],
    ["any_succeed", [NO, OK], "completed"],
    ["any_succeed", [NO, NO], "failed"],
    ["best_effort", [NO, OK], "completed"],
  ] as const)("with %s and a branch that was not approved: %j", (strategy, ends, status) => {
    const solo = fan({ strategy }, ["a", "b"]);
    for (const [at, end] of ends.entries())
      if (solo.running.includes(at === 0 ? "a" : "b")) solo.done(at === 0 ? "a" : "b", settled(end));
    expect(solo.output).toMatchObject({ outcome: { status } });
  });

  it("keeps its verdict against late results (I2)", () => {
    const solo = fan({ strategy: "any_succeed" });
    solo.done("a", settled(OK));
    solo.done("b", settled(BAD, { b: result(BAD) }));
    solo.fail("c");
    expect(solo.output).toEqual(settled(OK, { b: result(BAD) }));
  });
});
