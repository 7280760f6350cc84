/** The rows and rounds that are asked for, by address, name or item. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { grouped, selects } from "../../../projections/runs/selection.ts";
import { output, runStarted, said, stepCompleted, stepStarted } from "../terminal/rows.ts";
import { container, fail, folded, NESTED } from "./tree-rows.ts";

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
