import { describe, expect, it } from "vitest";
import type { StepInput } from "../../machines/contracts.ts";
import type { Outcome } from "../../machines/model.ts";
import { MOST_AT_ONCE, parallelMachine } from "../../machines/parallel-machine.ts";
import type { ParallelNode, Strategy } from "../../machines/workflow/document.ts";
import { BAD, command, nodesOf, OK, ORIGIN, parallel, result, SCOPE, STOPPED, settled } from "../support/documents.ts";
import { brief, cancel, resume, Solo } from "../support/machine.ts";

const nodes = nodesOf(command("a"), command("b"), command("c"), command("soft", { continueOnError: true }));
const fan = (node: Partial<ParallelNode> = {}, branches = ["a", "b", "c"]) =>
  new Solo(parallelMachine, "parallel/1", {
    origin: { ...ORIGIN, step: "fan" },
    node: parallel("fan", branches, node),
    nodes,
    scope: SCOPE,
    keep: "all",
  });
const PORTION = { type: "portion.begun" };
const all = (solo: Solo) => solo.effects.map(brief);
const partial = (failed: number, of = 3): Outcome => ({
  status: "failed",
  exitCode: 1,
  error: { code: "EXECUTION.PARALLEL.PARTIAL_FAILURE", message: `${failed} of ${of} branches of "fan" failed` },
});

describe("branches", () => {
  it("are born with a path below the container and marked as parallel", () => {
    const solo = fan();
    expect(solo.running).toEqual(["a", "b", "c"]);
    expect((solo.input("b") as StepInput).origin).toEqual({ ...ORIGIN, step: "fan/b", parallel: true });
  });

  it("start at most max_concurrent at once, in their order", () => {
    const solo = fan({ maxConcurrent: 2 });
    solo.done("b", settled(OK));
    solo.done("a", settled(OK));
    expect(solo.running).toEqual(["c"]);
    solo.done("c", settled(OK));
    expect(all(solo)).toEqual(["spawn step a", "spawn step b", "spawn step c", "tell all cancel.requested"]);
    expect(solo.output).toEqual(settled(OK));
  });

  it("begin in portions, in their order and each once, where there are many", () => {
    const names = Array.from({ length: 3 * MOST_AT_ONCE + 1 }, (_, index) => `b${index}`);
    const solo = new Solo(parallelMachine, "parallel/1", {
      origin: { ...ORIGIN, step: "fan" },
      node: parallel("fan", names, { maxConcurrent: 2 * MOST_AT_ONCE }),
      nodes: nodesOf(...names.map((name) => command(name))),
      scope: SCOPE,
      keep: [],
    });
    const onwards = `send parallel/1 ${PORTION.type}`;
    const begun = (from: number, to: number) => names.slice(from, to).map((name) => `spawn step ${name}`);
    expect(all(solo)).toEqual([...begun(0, MOST_AT_ONCE), onwards]);
    expect(solo.done("b0", settled(OK))).toEqual([...begun(MOST_AT_ONCE, 2 * MOST_AT_ONCE), onwards]);
    expect(solo.tell(PORTION)).toEqual(begun(2 * MOST_AT_ONCE, 2 * MOST_AT_ONCE + 1));
    expect(solo.tell(PORTION)).toEqual([]);
    while (solo.running.length > 0) solo.done(solo.running[0] ?? "", settled(OK));
    expect(all(solo).filter((effect) => effect.startsWith("spawn"))).toEqual(begun(0, names.length));
    expect(solo.output).toEqual(settled(OK));
  });

  it("leave the results that their owner keeps, and no target", () => {
    const solo = fan({}, ["a"]);
    solo.done("a", settled(OK, { a: result(OK, "1") }, "elsewhere"));
    expect(solo.output).toEqual(settled(OK, { a: result(OK, "1") }, null));
  });

  it("succeed when there are none", () => expect(fan({}, []).output).toEqual(settled(OK)));

  it("count as failed when their machine fails", () => {
    const solo = fan({ strategy: "any_succeed" }, ["a"]);
    solo.fail("a", { code: "X", message: "broken" });
    expect(solo.output).toEqual(settled(partial(1, 1)));
  });
});

describe("branches that depend on others (I4)", () => {
  const ordered = (strategy: Strategy) =>
    new Solo(parallelMachine, "parallel/1", {
      origin: { ...ORIGIN, step: "fan" },
      node: parallel("fan", ["x", "y"], { strategy }),
      nodes: nodesOf(command("x"), command("y", { dependsOn: ["x"] })),
      scope: SCOPE,
      keep: "all",
    });

  it("begin after those and see their results", () => {
    const solo = ordered("all_succeed");
    expect(solo.running).toEqual(["x"]);
    solo.done("x", settled(OK, { x: result(OK, "1") }));
    expect(solo.running).toEqual(["y"]);
    expect(solo.input("y")).toMatchObject({ scope: { states: { x: result(OK, "1") } } });
    solo.done("y", settled(OK, { y: result(OK) }));
    expect(solo.output).toMatchObject({ outcome: OK });
  });

  it("are passed over when one has failed: neither a success nor a failure", () => {
    const solo = ordered("any_succeed");
    solo.done("x", settled(BAD, { x: result(BAD) }));
    expect(solo.input("y")).toMatchObject({ passedOver: true });
    solo.done("y", settled(OK, { y: { ...result(OK), Status: "skipped" } }));
    expect(solo.output).toMatchObject({ outcome: partial(2, 2) });
  });
});

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

describe("cancel and resume", () => {
  it("cancels what runs, starts nothing more, and settles after that", () => {
    const solo = fan({ maxConcurrent: 2 });
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    expect(solo.done("a", settled(OK))).toEqual([]);
    expect(solo.fail("b")).toEqual([]);
    expect(solo.output).toEqual(settled(STOPPED));
  });

  it("changes an earlier verdict (I2)", () => {
    const solo = fan();
    solo.done("a", settled(BAD));
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    solo.done("b", settled(STOPPED));
    solo.done("c", settled(STOPPED));
    expect(solo.output).toEqual(settled(STOPPED));
  });

  it.each([
    ["a resume", resume("fail"), "tell all resume.requested"],
    ["the loss of its process", { type: "owner.lost" }, "tell all owner.lost"],
  ])("passes %s on, also while it stops", (_, event, effect) => {
    const solo = fan();
    expect(solo.tell(event)).toEqual([effect]);
    solo.done("a", settled(BAD));
    expect(solo.tell(event)).toEqual([effect]);
  });

  it.each(["all_succeed", "any_succeed", "best_effort"] as const)("%s: a branch that cancels cancels all (I2)", (s) => {
    const denied: Outcome = { ...STOPPED, error: { code: "EXECUTION.STEP.DENIED", message: "no" } };
    const solo = fan({ strategy: s, maxConcurrent: 2 });
    expect(solo.done("a", settled(denied))).toEqual(["tell all cancel.requested"]);
    expect(solo.done("b", settled(OK))).toEqual([]);
    expect(solo.output).toEqual(settled(denied));
  });
});

describe("a crash while branches are being ended (I5)", () => {
  const halted = () => {
    const solo = fan({ strategy: "all_succeed" });
    solo.done("a", settled(BAD));
    expect(solo.tell({ type: "owner.lost" })).toEqual(["tell all owner.lost"]);
    solo.done("b", settled(STOPPED));
    expect(solo.done("c", settled(STOPPED))).toEqual([]);
    expect(solo.value).toBe("halted");
    return solo;
  };
  it("keeps the verdict until the run is resumed", () => {
    const solo = halted();
    solo.tell(resume("ask"));
    expect(solo.output).toMatchObject({ outcome: { status: "failed" } });
  });
  it("yields to a cancel", () => {
    const solo = halted();
    solo.tell(cancel);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });
});
