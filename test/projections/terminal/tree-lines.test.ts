import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { failureLines } from "../../../projections/terminal/failure-lines.ts";
import { paint } from "../../../projections/terminal/paint.ts";
import { haltLines, treeLines } from "../../../projections/terminal/tree-lines.ts";
import { Log, output, runCompleted, runStarted, stepCompleted, stepStarted } from "./rows.ts";

const fold = (rows: readonly Row[]): RunFold => {
  const log = new Log();
  const folded = new RunFold("r1");
  for (const row of rows) folded.see(log.row(row));
  return folded;
};
const plain = { colours: false, columns: null, now: 1_002_000 };
const failed = (step: string, code = "EXECUTION.COMMAND.FAILED", message = "it ended") =>
  stepCompleted(step, { status: "failed", exitCode: 4, error: { code, message } });

describe("the steps of a run on the terminal", () => {
  it("has a line for each step, with what became of it", () => {
    const { steps } = fold([
      runStarted(),
      stepStarted("each", { kind: "for_each" }),
      stepStarted("each/0.look", { kind: "agent" }),
      {
        type: "usage.recorded",
        run: "r1",
        step: "each/0.look",
        payload: { totalTokens: 7, cost: { amount: 0.25, currency: "USD" } },
      },
      stepCompleted("each/0.look"),
      stepCompleted("each"),
      stepStarted("fan", { kind: "parallel" }),
      stepStarted("fan/a"),
      stepStarted("fan/b"),
      stepStarted("fan/no"),
      stepStarted("fan/\u001b[2Jc"),
      failed("fan/a"),
      failed("fan/no", "EXECUTION.STEP.DENIED", "the step was not approved"),
      stepCompleted("fan/b", { status: "skipped" }),
    ]).tree(true);
    expect(treeLines({ steps }, plain)).toEqual([
      "  ✓ each (for each) 400ms · 7 tokens · $0.2500",
      "    ✓ 1. look 200ms · 7 tokens · $0.2500",
      "  ▸ fan (parallel) 1.3s · running",
      "    ✗ a 400ms · failed · exit 4",
      "    ○ b · skipped",
      "    ✗ no 300ms · denied",
      "    ▸ c 900ms · running",
    ]);
  });

  it("says why steps have stopped at a budget, until more is given", () => {
    const row = (step: string, type: "notice" | "budget.noted", payload: object) =>
      ({ type, run: "r1", step, payload }) as Row;
    const stops = (step: string): Row[] => [
      stepStarted(step, { kind: "agent" }),
      row(step, "notice", { severity: "error", code: "EXECUTION.BUDGET.REACHED", message: `${step} \u001b[2Jstops` }),
      row(step, "budget.noted", { is: "stopped" }),
    ];
    const five = ["a", "b", "c", "d", "e"].flatMap((name) => stops(`fan/${name}`));
    const rows = [runStarted(), stepStarted("fan", { kind: "parallel" }), ...five];
    const said = (more: Row[], isAlive = false) => haltLines(fold([...rows, ...more]).tree(isAlive), paint(false));
    const raised = row("fan/a", "budget.noted", { is: "raised", budget: "b", limit: "tokens", to: 2 });
    expect(said([])).toEqual(["", "! fan/a stops", "! fan/b stops", "! fan/c stops", "… and 2 other steps stopped so"]);
    expect(said([raised])[1]).toBe("! fan/b stops");
    expect(said([stepCompleted("fan/a")])[1]).toBe("! fan/b stops");
    expect(said([], true)).toEqual([]);
  });

  it("leaves out the time in which no process ran it", () => {
    const log = new Log();
    const folded = new RunFold("r1");
    for (const row of [
      log.row(runStarted()),
      log.row(stepStarted("a", { kind: "parallel" })),
      log.row(stepStarted("a/b")),
      log.row({ type: "turn.completed", payload: { turn: "t", stopReason: "cancelled" } }, 3_600_000),
      log.row({ type: "turn.started", payload: { turn: "t2" } }, 2),
      log.row(stepCompleted("a/b")),
    ])
      folded.see(row);
    const now = 1_000_000 + 3_600_002 + 600;
    expect(treeLines(folded.tree(true), { ...plain, now })).toEqual([
      "  ▸ a (parallel) 400ms · running",
      "    ✓ b 100ms",
    ]);
  });

  it("counts what went well of many, and lists the rest (I1)", () => {
    const shards = Array.from({ length: 40 }, (_, index) => `fan/s${index}`);
    const { steps } = fold([
      runStarted(),
      stepStarted("fan", { kind: "parallel" }),
      ...shards.map((shard) => stepStarted(shard)),
      ...shards.map((shard) => (shard === "fan/s7" ? failed(shard) : stepCompleted(shard))),
    ]).tree(true);
    expect(treeLines({ steps }, { ...plain, columns: 30 })).toEqual([
      "  ▸ fan (parallel) 1.8s · run…",
      "    ✗ s7 4.0s · failed · exit…",
      "    ✓ 39 completed",
    ]);
  });
});

describe("what a run failed of on the terminal", () => {
  const lines = (rows: readonly Row[]): string[] => failureLines(fold(rows).causes(15), "r1", paint(false));

  it("names the signal that killed a step, at its end and in its line", () => {
    const error = { code: "EXECUTION.COMMAND.FAILED", message: "the command was ended by SIGTERM" };
    const rows = [runStarted(), stepStarted("a"), stepCompleted("a", { status: "failed", exitCode: 143, error })];
    expect(lines(rows)[1]).toBe("✗ a failed (killed by SIGTERM, exit 143)");
    expect(treeLines(fold(rows).tree(true), plain)[0]).toContain("failed · killed by SIGTERM, exit 143");
  });

  it("says of a step that a person said no to that it was denied, and tells no exit", () => {
    const rows = [runStarted(), stepStarted("a"), failed("a", "EXECUTION.STEP.DENIED", "the step was not approved")];
    expect(lines(rows).slice(1, 3)).toEqual(["✗ a denied [EXECUTION.STEP.DENIED]", "  the step was not approved"]);
  });

  it("has the step, its exit, its last 15 lines, and how to continue", () => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
    const shown = lines([
      runStarted(),
      stepStarted("a"),
      output("a", 0, "out\n"),
      output("a", 0, text, "stderr"),
      failed("a"),
      runCompleted({ status: "failed" }),
    ]);
    expect(shown).toEqual([
      "",
      "✗ a failed (exit 4)",
      ...Array.from({ length: 15 }, (_, index) => `  │ line ${index + 26}`),
      "",
      "  look:  troupe logs r1 --failed",
      "  rerun: troupe rerun r1 --failed",
    ]);
  });

  it("has the class and the reason of what no exit code tells, and what was said last where nothing stands on stderr", () => {
    const rows = [
      runStarted(),
      stepStarted("a", { kind: "agent" }),
      {
        type: "message.assistant",
        run: "r1",
        step: "a",
        payload: { block: "a@1.1", offset: 0, text: "I tried\u001b[31m." },
      },
      stepCompleted("a", {
        kind: "agent",
        status: "failed",
        exitCode: 1,
        error: { code: "EXECUTION.AGENT.AUTH", message: "Not logged in" },
      }),
    ] as Row[];
    expect(lines(rows).slice(0, 4)).toEqual([
      "",
      "✗ a failed [EXECUTION.AGENT.AUTH]",
      "  Not logged in",
      "  │ I tried.",
    ]);
  });

  it("counts the steps beyond three", () => {
    const shards = ["a", "b", "c", "d", "e"].map((shard) => `fan/${shard}`);
    const rows = [runStarted(), stepStarted("fan", { kind: "parallel" }), ...shards.map((shard) => stepStarted(shard))];
    const shown = lines([...rows, ...shards.map((shard) => failed(shard)), failed("fan")]);
    expect(shown.filter((line) => line.startsWith("✗"))).toHaveLength(3);
    expect(shown).toContain("… and 2 other steps failed");
  });
});
