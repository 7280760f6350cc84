/** A parallel: its branches, their order, a cancel, and a crash. */
import { describe, expect, it } from "vitest";
import type { StepInput } from "../../machines/contracts.ts";
import type { Outcome } from "../../machines/model.ts";
import { MOST_AT_ONCE, parallelMachine } from "../../machines/parallel-machine.ts";
import type { Strategy } from "../../machines/workflow/document.ts";
import { BAD, command, nodesOf, OK, ORIGIN, parallel, result, SCOPE, STOPPED, settled } from "../support/documents.ts";
import { cancel, resume, Solo } from "../support/machine.ts";
import { all, fan, partial } from "./parallel/fan.ts";

const PORTION = { type: "portion.begun" };

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
