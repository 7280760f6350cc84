import { describe, expect, it } from "vitest";
import type { LoopInput } from "../../../machines/contracts.ts";
import type { Move, Position } from "../../../machines/loop/position.ts";
import { MAX_HOPS_PER_ITERATION } from "../../../machines/loop/round.ts";
import { begin, settle } from "../../../machines/loop/walk.ts";
import type { Outcome, Settled } from "../../../machines/model.ts";
import type { LoopNode, Node } from "../../../machines/workflow/document.ts";
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
} from "../../support/documents.ts";

const input = (node: LoopNode, nodes: Node[], more: Partial<LoopInput> = {}): LoopInput => ({
  origin: { ...ORIGIN, step: node.name },
  node,
  nodes: nodesOf(...nodes),
  scope: SCOPE,
  items: node.type === "for_each" ? ["x", "y"] : null,
  maxIterations: 10,
  keep: "all",
  ...more,
});
const body = (more: Parameters<typeof command>[1] = {}) => [command("one", more), command("two"), command("three")];
const EACH = forEach("each", ["one", "two", "three"]);

/** Settles one state after the other. Answers the path of each state that was started, then where the loop is. */
function walk(of: LoopInput, ends: Settled[]): { paths: string[]; last: Move } {
  let last = begin(of);
  const paths: string[] = [];
  for (const end of ends) {
    const [start] = last.starts;
    if (start !== undefined) paths.push(start.path);
    last = settle(of, last.position, start?.path ?? "", end);
  }
  for (const { path } of last.starts) paths.push(path);
  return { paths, last };
}
const endOf = ({ stage }: Position) =>
  stage.is === "over" ? { outcome: stage.outcome, left: stage.left } : { outcome: null, left: null };
const outcome = ({ last }: { last: Move }) => endOf(last.position);

const NO: Outcome = { status: "skipped", exitCode: 0 };
const SKIPPED: Outcome = {
  status: "skipped",
  exitCode: 3,
  error: { code: "EXECUTION.RUN.SKIPPED", message: 'step "one" was not approved, and no on_skip leads on from it' },
};
describe("where a settled body state leads", () => {
  const good = settled(OK);
  const bad = settled(BAD);
  it.each([
    ["no target after success: the next state", {}, good, "each/0.two", null, null],
    ["a target in the body: a jump", { onSuccess: "three" }, good, "each/0.three", null, null],
    ["a jump back to itself", { onSuccess: "one" }, good, "each/0.one#2", null, null],
    ["the loop's own name: the next state", { onSuccess: "each" }, good, "each/0.two", null, null],
    ["the loop's own name after a failure: the next state", { onFailure: "each" }, bad, "each/0.two", null, null],
    ["a jump after a failure", { onFailure: "three" }, bad, "each/0.three", null, null],
    ["any other target: away", { onSuccess: "done" }, good, null, OK, "done"],
    ["a transition before on_success", { transitions: [{ goto: "done" }], onSuccess: "two" }, good, null, OK, "done"],
    ["a failure without a target: the loop fails", {}, bad, null, BAD, null],
    ["a failure with another target: the loop fails", { onFailure: "done" }, bad, null, BAD, null],
    ["a failure that may pass: the next state", { continueOnError: true }, bad, "each/0.two", null, null],
    ["a failure that may pass, with a way out", { continueOnError: true, onSuccess: "done" }, bad, null, OK, "done"],
    [
      "a failure that may pass does not go where others go",
      { continueOnError: true, onFailure: "done" },
      bad,
      "each/0.two",
      null,
      null,
    ],
    [
      "a failure that may pass goes the good way",
      { continueOnError: true, onSuccess: "three" },
      bad,
      "each/0.three",
      null,
      null,
    ],
    ["a no: the loop is skipped", { onSuccess: "two" }, settled(NO), null, SKIPPED, null],
    ["a no with on_skip in the body: a jump", { onSkip: "three" }, settled(NO), "each/0.three", null, null],
    [
      "a no with the loop's own name as on_skip: the next state",
      { onSkip: "each" },
      settled(NO),
      "each/0.two",
      null,
      null,
    ],
    ["a no with another on_skip: away", { onSkip: "later" }, settled(NO), null, OK, "later"],
    ["a cancel: the loop is cancelled", { onSuccess: "three" }, settled(STOPPED), null, STOPPED, null],
  ])("%s", (_, node, end, path, ended, left) => {
    const { last } = walk(input(EACH, body(node)), [end]);
    expect({ path: last.starts[0]?.path ?? null, ...endOf(last.position) }).toEqual({
      path,
      outcome: ended,
      left,
    });
  });

  it("a condition that cannot be evaluated fails the loop", () => {
    const { last } = walk(input(EACH, body({ transitions: [{ when: "1 < 'a'", goto: "two" }] })), [good]);
    expect(endOf(last.position).outcome).toMatchObject({
      status: "failed",
      error: { code: "WORKFLOW.EXPRESSION.EVALUATION" },
    });
  });

  it("a condition sees the state's fresh result, kept or not", () => {
    const transitions = [{ when: "states.one.Output == 'go'", goto: "three" }];
    const { paths } = walk(input(EACH, body({ transitions }), { keep: [] }), [settled(OK, { one: result(OK, "go") })]);
    expect(paths).toEqual(["each/0.one", "each/0.three"]);
  });
});

describe("an inner loop that ends with a target", () => {
  const outer = (body: string[]) => forEach("outer", body);
  const nodes = [forEach("inner", ["x"], { onComplete: "never" }), command("after"), command("more")];
  it.each([
    ["a target in the outer body: a jump", "more", "outer/0.more", null],
    ["the outer loop's name: the next state", "outer", "outer/0.after", null],
    ["any other target: out of both", "done", null, "done"],
  ])("%s", (_, left, path, out) => {
    const { last } = walk(input(outer(["inner", "after", "more"]), nodes), [settled(OK, {}, left)]);
    expect([last.starts[0]?.path ?? null, endOf(last.position).left]).toEqual([path, out]);
  });
});

describe("break_when", () => {
  const nodes = [command("one"), command("two", { onSuccess: "one" })];
  const out = settled(OK, { one: result(OK, "stop") });
  it("is evaluated at the end of an iteration, not before (I1)", () => {
    const each = forEach("each", ["one", "two"], { breakWhen: "states.one.Output == 'stop'" });
    const first = walk(input(each, [command("one"), command("two")]), [out]);
    expect(first.paths).toEqual(["each/0.one", "each/0.two"]);
    const second = walk(input(each, [command("one"), command("two")]), [out, settled(OK)]);
    expect(outcome(second)).toEqual({ outcome: OK, left: null });
    expect(second.last.position.next).toBe(1);
  });
  it("is not evaluated when the loop is left", () => {
    const each = forEach("each", ["one"], { breakWhen: "1 < 'a'" });
    const { last } = walk(input(each, [command("one", { onSuccess: "done" })]), [settled(OK)]);
    expect([endOf(last.position).left, last.warnings]).toEqual(["done", []]);
  });
  it("is not evaluated on a jump back", () => {
    const each = forEach("each", ["one", "two"], { breakWhen: "true" });
    expect(walk(input(each, nodes), [settled(OK), settled(OK)]).paths).toEqual([
      "each/0.one",
      "each/0.two",
      "each/0.one#2",
    ]);
  });
  it("with a fault warns once an iteration and continues", () => {
    const each = forEach("each", ["one"], { breakWhen: "1 < 'a'" });
    const { paths, last } = walk(input(each, [command("one")]), [settled(OK)]);
    expect(paths).toEqual(["each/0.one", "each/1.one"]);
    expect(last.warnings.map(({ code }) => code)).toEqual(["WORKFLOW.EXPRESSION.EVALUATION"]);
  });
  it("ends a loop whose body is empty", () => {
    const each = whileNode("each", "true", [], { breakWhen: "loop.Index == 3" });
    const { last } = walk(input(each, []), []);
    expect([endOf(last.position).outcome, last.position.next]).toEqual([OK, 4]);
  });
});

describe("bounds", () => {
  it("max_iterations ends a while as completed, and cuts the items of a for_each", () => {
    const ends = [settled(OK), settled(OK)];
    const poll = walk(input(whileNode("poll", "true", ["one"]), [command("one")], { maxIterations: 2 }), ends);
    expect(poll.paths).toEqual(["poll/0.one", "poll/1.one"]);
    expect(outcome(poll)).toEqual({ outcome: OK, left: null });
    const each = walk(input(forEach("each", ["one"]), [command("one")], { items: [1, 2, 3], maxIterations: 2 }), ends);
    expect(each.paths).toEqual(["each/0.one", "each/1.one"]);
    expect(outcome(each)).toEqual({ outcome: OK, left: null });
  });
  it("a while ends when its condition does not hold, and fails when it cannot be evaluated", () => {
    const nodes = [command("one")];
    const ready = settled(OK, { one: result(OK, "ready") });
    const poll = input(whileNode("poll", "states.one.Output != 'ready'", ["one"]), nodes);
    expect(outcome(walk(poll, [settled(OK), ready]))).toEqual({ outcome: OK, left: null });
    const wrong = walk(input(whileNode("poll", "1 < 'a'", ["one"]), nodes), []);
    expect(outcome(wrong).outcome).toMatchObject({ status: "failed" });
  });
  it("the states entered in one iteration are counted (I2)", () => {
    const poll = input(whileNode("poll", "true", ["one"]), [command("one", { onSuccess: "one" })]);
    let at: Move = begin(poll);
    let hops = 1;
    for (; at.position.stage.is !== "over"; hops++)
      at = settle(poll, at.position, at.starts[0]?.path ?? "", settled(OK));
    expect(hops).toBe(MAX_HOPS_PER_ITERATION + 1);
    expect(endOf(at.position).outcome).toMatchObject({
      status: "failed",
      error: { code: "EXECUTION.RUN.TOO_MANY_TRANSITIONS" },
    });
  });
  it("10,000 iterations of an empty body take one move (I3)", () => {
    const { last } = walk(input(whileNode("poll", "true", []), [], { maxIterations: 10_000 }), []);
    expect([endOf(last.position).outcome, last.position.next]).toEqual([OK, 10_000]);
  });
});
