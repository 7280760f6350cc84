/** A run as a tree: parallels, rounds, called workflows, attempts and use. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { output, runCompleted, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";
import { container, fail, folded, NESTED, outline } from "./tree-rows.ts";

const retrying = (step: string, attempt: number): Row => ({
  type: "step.retrying",
  run: "r1",
  step,
  payload: { name: step, attempt, delayMs: 0, reason: fail.error },
});
const used = (step: string, payload: Extract<Row, { type: "usage.recorded" }>["payload"]): Row => ({
  type: "usage.recorded",
  run: "r1",
  step,
  payload,
});

describe("a run as a tree", () => {
  it("has rounds, branches and the steps of called workflows below what they are part of (I1)", () => {
    const { steps, current } = folded(NESTED).fold.tree(false);
    expect(outline(steps)).toEqual([
      [
        "each",
        "completed",
        [
          ["each[1]/look", "completed"],
          ["each[2]/look", "failed"],
        ],
      ],
      [
        "call",
        "failed",
        [
          [
            "call/fan",
            "failed",
            [
              ["call/fan/a", "completed"],
              ["call/fan/b", "failed"],
            ],
          ],
        ],
      ],
    ]);
    expect(steps[0]?.steps.map(({ round }) => round)).toEqual([1, 2]);
    expect(steps[1]?.calls).toEqual({ run: "r2", workflow: "child" });
    expect(current).toEqual([]);
  });

  it("says why the run failed, and leaves out failures after which it continued", () => {
    const { fold } = folded(NESTED);
    expect(fold.causes(15).map(({ address, exitCode, stderr, stdout }) => [address, exitCode, stderr, stdout])).toEqual(
      [["call/fan/b", 4, ["one", "two"], []]],
    );
    expect(fold.failed(1).map(({ address, stderr }) => [address, stderr])).toEqual([
      ["each[2]/look", []],
      ["call/fan/b", ["two"]],
    ]);
  });

  it("knows calls at once by what the log says of them", () => {
    const call = (step: string, childRun: string): Row => ({
      type: "step.call_workflow.started",
      run: "r1",
      step,
      childRun,
      payload: { name: step, workflow: "child" },
    });
    const { steps } = folded([
      runStarted(),
      stepStarted("fan", container("parallel")),
      stepStarted("fan/a", container("call_workflow")),
      stepStarted("fan/b", container("call_workflow")),
      call("fan/a", "ra"),
      call("fan/b", "rb"),
      runStarted("child", {}, "rb", "r1"),
      runStarted("child", {}, "ra", "r1"),
      stepStarted("one", {}, "ra"),
      stepStarted("two", {}, "rb"),
    ]).fold.tree(true);
    expect(outline(steps)).toEqual([
      [
        "fan",
        "running",
        [
          ["fan/a", "running", [["fan/a/one", "running"]]],
          ["fan/b", "running", [["fan/b/two", "running"]]],
        ],
      ],
    ]);
  });

  it("counts attempts, and of several the last one's words and failures", () => {
    const { fold } = folded([
      runStarted(),
      stepStarted("fan", container("parallel")),
      stepStarted("fan/a"),
      stepCompleted("fan/a", fail),
      retrying("fan", 1),
      stepStarted("fan@2/a"),
      output("fan@2/a", 0, "first try\n"),
      retrying("fan@2/a", 1),
      {
        ...output("fan@2/a", 0, "second try\n"),
        payload: { block: "fan@2/a@2.stdout", offset: 0, text: "second try\n", stream: "stdout" },
      },
      stepCompleted("fan@2/a", fail),
      stepCompleted("fan", { ...fail, kind: "parallel" }),
      runCompleted({ status: "failed" }),
    ]);
    expect(fold.causes(15).map(({ address, attempts, stdout }) => [address, attempts, stdout])).toEqual([
      ["fan@2/a", 2, ["second try"]],
    ]);
  });

  it("adds up what was used: of an attempt the last word, of steps and attempts the sum (I2)", () => {
    const cost = (amount: number, currency = "USD") => ({ cost: { amount, currency } });
    const { steps, usage } = folded([
      runStarted(),
      stepStarted("fan", container("parallel")),
      stepStarted("fan/a", { kind: "agent" }),
      used("fan/a", { inputTokens: 1, outputTokens: 1, ...cost(0.1) }),
      used("fan/a", { inputTokens: 5, outputTokens: 2, ...cost(0.2) }),
      retrying("fan/a", 1),
      used("fan/a", { totalTokens: 10, ...cost(0.1) }),
      stepStarted("fan/b", { kind: "agent" }),
      used("fan/b", { inputTokens: 3, ...cost(1, "EUR") }),
    ]).fold.tree(true);
    expect(usage).toEqual({
      inputTokens: 8,
      outputTokens: 2,
      tokens: 20,
      costs: [
        { currency: "USD", amount: 0.3 },
        { currency: "EUR", amount: 1 },
      ],
    });
    expect(steps[0]?.steps.map((step) => step.usage.tokens)).toEqual([17, 3]);
  });

  it("says which steps are at work, which wait and for what, and which have no process any more", () => {
    const asked: Row = {
      type: "permission.requested",
      run: "r1",
      step: "fan/a",
      payload: { permission: "p", title: "Run it?", kind: "execute", message: "", options: [] },
    };
    const { fold } = folded([
      runStarted(),
      stepStarted("fan", container("parallel")),
      stepStarted("fan/a"),
      stepStarted("fan/b"),
      asked,
    ]);
    const { steps, current } = fold.tree(true);
    expect(outline(steps)).toEqual([
      [
        "fan",
        "running",
        [
          ["fan/a", "waiting"],
          ["fan/b", "running"],
        ],
      ],
    ]);
    expect(steps[0]?.steps[0]?.waitsFor).toEqual([{ type: "permission", id: "p", text: "Run it?" }]);
    expect(current).toEqual(["fan/a", "fan/b"]);
    expect(outline(fold.tree(false).steps)).toEqual([
      [
        "fan",
        "interrupted",
        [
          ["fan/a", "waiting"],
          ["fan/b", "interrupted"],
        ],
      ],
    ]);
  });
});
