/** Loops and called runs: how far their lines are indented, and whose they are. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { text } from "./lines-of.ts";
import { output, runCompleted, runStarted, stepCompleted, stepStarted } from "./rows.ts";

describe("terminalLines", () => {
  it("indents what is nested: loops, and runs that a step calls", async () => {
    const rows: Row[] = [
      runStarted(),
      stepStarted("each", { kind: "for_each" }),
      stepStarted("each/0.one"),
      output("each/0.one", 0, "x\n"),
      stepCompleted("each/0.one"),
      stepStarted("each/1.one#2"),
      stepCompleted("each/1.one#2"),
      stepCompleted("each", { kind: "for_each" }),
      stepStarted("sub", { kind: "call_workflow" }),
      runStarted("child", {}, "r2", "r1"),
      stepStarted("in", {}, "r2"),
      stepCompleted("in", {}, "r2"),
      runCompleted({ workflow: "child" }, "r2", "r1"),
      stepCompleted("sub", { kind: "call_workflow" }),
      runCompleted(),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  → each (for each)",
      "    → 1. one",
      "      x",
      "    ✓ 1. one 200ms",
      "    → 2. one#2",
      "    ✓ 2. one#2 100ms",
      "  ✓ each 600ms",
      "  → sub (call workflow)",
      "    child · run r2",
      "      → in",
      "      ✓ in 100ms",
      "    ✓ child completed in 300ms (1 step)",
      "  ✓ sub 500ms",
      "✓ demo completed in 1.4s (5 steps)",
      "",
    ]);
  });

  it("says of each of two calls at once whose its lines are", async () => {
    const begun = (step: string, run: string): Row[] => [
      stepStarted(`fan/${step}`, { kind: "call_workflow", parallel: true }),
      {
        type: "step.call_workflow.started",
        run: "r1",
        step: `fan/${step}`,
        childRun: run,
        payload: { name: step, workflow: "sub" },
      },
      { ...runStarted("sub", {}, run, "r1"), parentStep: `fan/${step}` },
      stepStarted("in", { parallel: true }, run),
    ];
    const rows: Row[] = [
      runStarted(),
      stepStarted("fan", { kind: "parallel" }),
      ...begun("left", "r2"),
      ...begun("right", "r3"),
      { ...output("in", 0, "hi\n"), run: "r3" },
      stepCompleted("in", {}, "r3"),
      {
        type: "permission.requested",
        run: "r2",
        step: "in",
        payload: { permission: "p", title: "May it?", kind: "execute", message: "", options: [] },
      },
      { type: "permission.resolved", run: "r2", step: "in", payload: { permission: "p", outcome: "cancelled" } },
      runCompleted({ workflow: "sub" }, "r3", "r1"),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  → fan (parallel)",
      "    → left (call workflow)",
      "      left › sub · run r2",
      "        → left › in",
      "    → right (call workflow)",
      "      right › sub · run r3",
      "        → right › in",
      "          right › in │ hi",
      "        ✓ right › in 200ms",
      "          left › in │ May it? no answer",
      "      ✓ right › sub completed in 600ms (1 step)",
      "",
    ]);
  });
});
