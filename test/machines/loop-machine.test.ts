import { describe, expect, it } from "vitest";
import type { LoopInput, StepInput } from "../../machines/contracts.ts";
import { loopMachine } from "../../machines/loop-machine.ts";
import type { LoopNode } from "../../machines/workflow/document.ts";
import {
  BAD,
  command,
  forEach,
  nodesOf,
  OK,
  ORIGIN,
  result,
  SCOPE,
  STOPPED,
  settled,
  whileNode,
} from "../support/documents.ts";
import { brief, cancel, resume, Solo } from "../support/machine.ts";

const nodes = nodesOf(command("one"), command("two"));
const loop = (node: LoopNode, more: Partial<LoopInput> = {}) =>
  new Solo(loopMachine, "loop/1", {
    origin: { ...ORIGIN, step: node.name },
    node,
    nodes,
    scope: SCOPE,
    items: node.type === "for_each" ? ["x", "y"] : null,
    maxIterations: 10,
    keep: ["one"],
    ...more,
  });
const all = (solo: Solo) => solo.effects.map(brief);
const ends = (solo: Solo, ...ids: string[]) => {
  for (const id of ids) solo.done(id, settled(OK));
};

describe("a loop", () => {
  it("runs its body for each item, one state at a time (I1)", () => {
    const solo = loop(forEach("each", ["one", "two"]));
    ends(solo, "each/0.one", "each/0.two", "each/1.one", "each/1.two");
    expect(all(solo)).toEqual([
      "spawn step each/0.one",
      "spawn step each/0.two",
      "spawn step each/1.one",
      "spawn step each/1.two",
    ]);
    expect(solo.output).toEqual(settled(OK));
    const birth = solo.input("each/1.two") as StepInput;
    expect(birth.origin.step).toBe("each/1.two");
    expect(birth.scope.loop).toEqual({
      Item: "y",
      Index: 1,
      Index1: 2,
      First: false,
      Last: true,
      Length: 2,
      Parent: null,
    });
  });

  it("keeps only what something reads", () => {
    const solo = loop(forEach("each", ["one", "two"]), { items: [1] });
    solo.done("each/0.one", settled(OK, { one: result(OK, "1"), inner: result(OK) }));
    solo.done("each/0.two", settled(OK, { two: result(OK, "2") }));
    expect(solo.output).toEqual(settled(OK, { one: result(OK, "1") }));
  });

  it("reports a fault of break_when as a notice and continues", () => {
    const solo = loop(forEach("each", ["one"], { breakWhen: "1 < 'a'" }));
    expect(solo.done("each/0.one", settled(OK))).toEqual(["row notice", "spawn step each/1.one"]);
    expect(solo.rows).toEqual([
      {
        type: "notice",
        run: "r1",
        step: "each",
        payload: {
          severity: "warning",
          code: "WORKFLOW.EXPRESSION.EVALUATION",
          message: expect.stringMatching(/^in "1 < 'a'": /),
        },
      },
    ]);
  });

  it("fails when the machine of a body state fails", () => {
    const solo = loop(forEach("each", ["one"]));
    const error = { code: "X", message: "broken" };
    solo.fail("each/0.one", error);
    expect(solo.output).toMatchObject(settled({ status: "failed", exitCode: 1, error }));
  });

  it("without anything to do ends at once", () => {
    for (const solo of [loop(forEach("each", ["one"]), { items: [] }), loop(whileNode("poll", "false", ["one"]))]) {
      expect(all(solo)).toEqual([]);
      expect(solo.output).toEqual(settled(OK));
    }
  });

  it("of 10,000 iterations with an empty body takes one transition", () => {
    const solo = loop(whileNode("poll", "loop.Index < 20000", []), { maxIterations: 10_000 });
    expect(all(solo)).toEqual([]);
    expect(solo.output).toEqual(settled(OK));
  });
});

describe("cancel and resume", () => {
  it("cancels the running state and ignores its result (I2)", () => {
    const solo = loop(forEach("each", ["one"]));
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    expect(solo.done("each/0.one", settled(BAD))).toEqual([]);
    expect(solo.output).toMatchObject(settled(STOPPED));
  });
  it("ends cancelled when the running state was cancelled", () => {
    const solo = loop(forEach("each", ["one"]));
    solo.done("each/0.one", settled(STOPPED));
    expect(solo.output).toMatchObject(settled(STOPPED));
  });
  it("settles after a crash in the middle of a cancel", () => {
    const solo = loop(forEach("each", ["one"]));
    solo.tell(cancel);
    solo.fail("each/0.one");
    expect(solo.output).toMatchObject(settled(STOPPED));
  });
  it("passes the loss of its process on to the running state", () => {
    expect(loop(forEach("each", ["one"])).tell({ type: "owner.lost" })).toEqual(["tell all owner.lost"]);
  });
  it("passes a resume on to the running state", () => {
    expect(loop(forEach("each", ["one"])).tell(resume("ask"))).toEqual(["tell all resume.requested"]);
  });
});

describe("a crash while rounds are being ended (I3)", () => {
  const halted = () => {
    const solo = loop(forEach("each", ["one"], { fanned: { strategy: "all_succeed", maxConcurrent: 2 } }));
    solo.done("each/0.one", settled(BAD));
    expect(solo.tell({ type: "owner.lost" })).toEqual(["tell all owner.lost"]);
    expect(solo.done("each/1.one", settled(STOPPED))).toEqual([]);
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
