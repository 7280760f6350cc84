/** A run as a tree, and what it failed of: parallels, rounds, called workflows, attempts, use, questions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { grouped, selects } from "../../../projections/runs/selection.ts";
import { RunFold, type StepTree } from "../../../projections/runs/tree.ts";
import { Log, output, runCompleted, runStarted, said, stepCompleted, stepStarted } from "../terminal/rows.ts";

const fail = {
  status: "failed",
  exitCode: 4,
  error: { code: "EXECUTION.COMMAND.FAILED", message: "it ended" },
} as const;
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
const folded = (rows: readonly Row[]) => {
  const log = new Log();
  const fold = new RunFold("r1");
  const exchanges = rows.map((row) => log.row(row));
  for (const row of exchanges) fold.see(row);
  return { fold, exchanges };
};
const outline = (steps: readonly StepTree[]): unknown[] =>
  steps.map(({ address, state, steps: below }) =>
    below.length === 0 ? [address, state] : [address, state, outline(below)],
  );
const container = (kind: "parallel" | "for_each" | "call_workflow") => ({ kind });

const NESTED: Row[] = [
  runStarted(),
  stepStarted("each", container("for_each")),
  stepStarted("each/0.look"),
  stepCompleted("each/0.look"),
  stepStarted("each/1.look"),
  stepCompleted("each/1.look", fail),
  stepCompleted("each", container("for_each")),
  stepStarted("call", container("call_workflow")),
  runStarted("child", {}, "r2", "r1"),
  stepStarted("fan", container("parallel"), "r2"),
  stepStarted("fan/a", { parallel: true }, "r2"),
  stepStarted("fan/b", { parallel: true }, "r2"),
  { ...output("fan/b", 0, "one\ntwo\n", "stderr"), run: "r2" },
  { ...output("fan/a", 0, "fine\n"), run: "r2" },
  stepCompleted("fan/b", fail, "r2"),
  stepCompleted("fan/a", {}, "r2"),
  stepCompleted("fan", { ...fail, kind: "parallel" }, "r2"),
  runCompleted({ status: "failed", exitCode: 1 }, "r2", "r1"),
  stepCompleted("call", { ...fail, kind: "call_workflow" }),
  runCompleted({ status: "failed", exitCode: 1 }),
];

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

describe("a step of a run", () => {
  const at = (step: string, type: string, payload: object): Row => ({ type, run: "r1", step, payload }) as Row;
  const one = (...rows: Row[]) => folded([runStarted(), stepStarted("ask"), ...rows]).fold.tree(true).steps[0];

  it("waits for an answer until it has come", () => {
    const asked = at("ask", "input.required", { input: "i", prompt: "Which?" });
    expect(one(asked)?.waitsFor).toEqual([{ type: "input", id: "i", text: "Which?" }]);
    expect(one(asked, at("ask", "input.answered", { input: "other" }))?.waitsFor).toHaveLength(1);
    expect(one(asked, at("ask", "input.answered", { input: "i" }))).toMatchObject({ waitsFor: [], state: "running" });
  });

  it("waits for a decision until it has come", () => {
    const asked = at("ask", "permission.requested", { permission: "p", title: "May it?" });
    expect(one(asked, at("ask", "permission.resolved", { permission: "other" }))?.waitsFor).toHaveLength(1);
    expect(one(asked, at("ask", "permission.resolved", { permission: "p" }))?.waitsFor).toEqual([]);
  });

  it("halts for an error with a code, until it goes on; one that has ended does not", () => {
    const notice = (payload: object) => at("ask", "notice", { severity: "error", code: "C", message: "m", ...payload });
    const halt = { code: "C", message: "m" };
    expect(one(notice({}))?.halt).toEqual(halt);
    expect(one(notice({ severity: "warning" }))?.halt).toBeNull();
    expect(one(notice({ code: undefined }))?.halt).toBeNull();
    expect(one(stepCompleted("ask"), notice({}))?.halt).toBeNull();
    expect(one(notice({}), at("ask", "budget.noted", { is: "stopped" }))?.halt).toEqual(halt);
    expect(one(notice({}), at("ask", "budget.noted", { is: "raised" }))?.halt).toBeNull();
  });

  it("has what it says and prints, not what it thinks or what its tools print", () => {
    const { fold } = folded([
      ...[runStarted(), stepStarted("ask"), said("ask", 0, "said\n"), output("ask", 0, "bad\n", "stderr")],
      { ...said("ask", 0, "thought\n", 2), type: "message.thought" } as Row,
      { ...output("ask", 0, "of a tool\n"), payload: { block: "t", offset: 0, text: "of a tool\n", call: "c" } } as Row,
      stepCompleted("ask", fail),
    ]);
    expect(fold.causes(9).map(({ stdout, stderr }) => [stdout, stderr])).toEqual([[["said"], ["bad"]]]);
  });

  it("of a log of an earlier version called a run where it is the last open call without one", () => {
    const call = container("call_workflow");
    const { fold } = folded([
      ...[runStarted(), stepStarted("a", call), stepCompleted("a", call), stepStarted("b", call), stepStarted("c")],
      ...[runStarted("child", {}, "r2", "r1"), stepStarted("x", {}, "r2")],
      ...[runStarted("stray", {}, "r3", "r1"), stepStarted("y", {}, "r3"), runStarted("other", {}, "r4")],
    ]);
    expect(outline(fold.tree(true).steps)).toEqual([
      ["a", "completed"],
      ["b", "running", [["b/x", "running"]]],
      ["c", "running"],
    ]);
    expect(["r1", "r2", "r3", "r4", undefined].map((run) => fold.holds(run === undefined ? {} : { run }))).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect(fold.placeOf({ run: "r2", step: "x" })).toEqual(["b", "b/x"]);
    expect([fold.placeOf({ run: "r2" }), fold.placeOf({ run: "r1" }), fold.placeOf({})]).toEqual([["b"], [], []]);
  });

  it("stands in the plan of its own run, which says what it does again", () => {
    const rerun = { run: "r0", from: null, taken: [] };
    const plan = [{ name: "ask", title: "Ask", kind: "ask" }];
    const { fold } = folded([
      { type: "run.started", run: "r1", payload: { workflow: "w", plan, inputs: {}, rerun } } as unknown as Row,
      { type: "run.started", run: "r2", parentRun: "r1", payload: { workflow: "v", plan: [], inputs: {} } } as Row,
    ]);
    expect([fold.plan, fold.rerun]).toEqual([plan, rerun]);
    const none = folded([runStarted()]).fold;
    expect([none.plan, none.rerun, new RunFold("r9").plan]).toEqual([[], null, []]);
  });
});

describe("the rows that are asked for", () => {
  const asked = (selection: Partial<Parameters<typeof selects>[0]>) => {
    const { fold, exchanges } = folded(NESTED);
    const isAsked = selects({ step: null, since: null, failed: false, ...selection }, fold);
    return exchanges.filter(isAsked).map(({ step = "", type, run }) => `${run} ${step} ${type}`);
  };

  it("are those of a step by its address, by its name, and of everything below it", () => {
    const branch = ["r2 fan/b step.started", "r2 fan/b tool.update", "r2 fan/b step.completed"];
    expect(asked({ step: "call/fan/b" })).toEqual(branch);
    expect(asked({ step: "fan/b" })).toEqual(branch);
    expect(asked({ step: "b" })).toEqual(branch);
    expect(asked({ step: "look" })).toHaveLength(4);
    expect(asked({ step: "each[2]" })).toEqual(["r1 each/1.look step.started", "r1 each/1.look step.completed"]);
    expect(asked({ step: "call" })).toHaveLength(12);
    expect(asked({ step: "all" })).toEqual([]);
  });

  it("are those of the steps that failed, or those since a time", () => {
    expect(asked({ failed: true })).toEqual([
      "r1 each/1.look step.started",
      "r1 each/1.look step.completed",
      "r2 fan/b step.started",
      "r2 fan/b tool.update",
      "r2 fan/b step.completed",
    ]);
    expect(asked({ since: 1_001_900 })).toEqual(["r1 call step.completed", "r1  run.completed"]);
  });

  it("stand step by step, whatever came between them (I1)", () => {
    const { fold, exchanges } = folded(NESTED);
    expect(grouped(exchanges, fold).map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 16, 12, 13, 15, 17, 18, 19, 20,
    ]);
  });

  it("are all there, and of each step in their order, however they were mixed", () => {
    const steps = ["a", "b", "c", "b#2", "l/0.x", "l/1.x"];
    const rows = fc.array(fc.tuple(fc.constantFrom(...steps), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(rows, (drawn) => {
        const { fold, exchanges } = folded([
          runStarted(),
          stepStarted("l", container("for_each")),
          ...drawn.map(([step, starts]) => (starts ? stepStarted(step) : said(step, 0, "x"))),
        ]);
        const ordered = grouped(exchanges, fold);
        expect([...ordered].map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(exchanges.map(({ seq }) => seq));
        for (const step of steps) {
          const of = ordered.filter((row) => row.step === step).map(({ seq }) => seq);
          expect(of).toEqual([...of].sort((a, b) => a - b));
        }
      }),
    );
  });
});

describe("rounds of a for_each", () => {
  const round = (step: string, item: string, of = 3) => stepStarted(step, { round: { item, of } });
  const ROUNDS: Row[] = [
    runStarted(),
    stepStarted("each", container("for_each")),
    round("each/0.look", "src/a.ts"),
    round("each/1.look", "src/b.ts"),
    { ...output("each/1.look", 0, "no\n", "stderr") },
    stepCompleted("each/1.look", fail),
    round("each/2.look", "src/a.ts"),
    round("each/0.fix", "src/a.ts"),
    stepStarted("each@2/0.look", { round: { item: "x".repeat(100), of: 3 } }),
    stepStarted("each/1.inner", { ...container("for_each"), round: { item: "src/b.ts", of: 3 } }),
    round("each/1.inner/0.deep", "7", 2),
    round("each/1.inner/1.deep", "1", 2),
  ];
  const { fold, exchanges } = folded(ROUNDS);

  it("are named by their items, twice the same with its number, and by number where an item has no short name", () => {
    expect(fold.names.all()).toEqual([
      "each",
      "each[src/a.ts]/look",
      "each[src/b.ts]/look",
      "each[src/a.ts (3)]/look",
      "each[src/a.ts]/fix",
      "each@2[1]/look",
      "each[src/b.ts]/inner",
      "each[src/b.ts]/inner[7]/deep",
      "each[src/b.ts]/inner[1]/deep",
    ]);
    expect(fold.tree(true).steps[0]?.steps[1]).toMatchObject({ round: 2, item: "src/b.ts" });
  });

  it.each([
    ["each[src/b.ts]", ["each/1.look", "each/1.inner", "each/1.inner/0.deep", "each/1.inner/1.deep"]],
    ["each[2]", ["each/1.look", "each/1.inner", "each/1.inner/0.deep", "each/1.inner/1.deep"]],
    ["each[src/b.ts]/look", ["each/1.look"]],
    ["look[src/b.ts]", ["each/1.look"]],
    ["look[3]", ["each/2.look"]],
    ["look", ["each/0.look", "each/1.look", "each/2.look", "each@2/0.look"]],
    ["inner[1]", ["each/1.inner/1.deep"]],
    ["deep[7]", ["each/1.inner/0.deep"]],
    ["each[src/c.ts]", []],
  ])("are meant by %s", (step, paths) => {
    const isSelected = selects({ step, since: null, failed: false }, fold);
    const found = exchanges.filter((row) => row.type === "step.started" && isSelected(row)).map((row) => row.step);
    expect(found).toEqual(paths);
  });
});
