/** Logs of runs with rounds, branches and called workflows, and their trees in short. */
import type { Row } from "../../../machines/exchange.ts";
import { RunFold, type StepTree } from "../../../projections/runs/tree.ts";
import { Log, output, runCompleted, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";

export const fail = {
  status: "failed",
  exitCode: 4,
  error: { code: "EXECUTION.COMMAND.FAILED", message: "it ended" },
} as const;

export const folded = (rows: readonly Row[]) => {
  const log = new Log();
  const fold = new RunFold("r1");
  const exchanges = rows.map((row) => log.row(row));
  for (const row of exchanges) fold.see(row);
  return { fold, exchanges };
};
export const outline = (steps: readonly StepTree[]): unknown[] =>
  steps.map(({ address, state, steps: below }) =>
    below.length === 0 ? [address, state] : [address, state, outline(below)],
  );
export const container = (kind: "parallel" | "for_each" | "call_workflow") => ({ kind });

export const NESTED: Row[] = [
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
