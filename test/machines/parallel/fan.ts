/** A parallel of three branches on its own. */
import type { Outcome } from "../../../machines/model.ts";
import { parallelMachine } from "../../../machines/parallel-machine.ts";
import type { ParallelNode } from "../../../machines/workflow/document.ts";
import { command, nodesOf, ORIGIN, parallel, SCOPE } from "../../support/documents.ts";
import { brief, Solo } from "../../support/machine.ts";

export const nodes = nodesOf(command("a"), command("b"), command("c"), command("soft", { continueOnError: true }));
export const fan = (node: Partial<ParallelNode> = {}, branches = ["a", "b", "c"]) =>
  new Solo(parallelMachine, "parallel/1", {
    origin: { ...ORIGIN, step: "fan" },
    node: parallel("fan", branches, node),
    nodes,
    scope: SCOPE,
    keep: "all",
  });

export const all = (solo: Solo) => solo.effects.map(brief);
export const partial = (failed: number, of = 3): Outcome => ({
  status: "failed",
  exitCode: 1,
  error: { code: "EXECUTION.PARALLEL.PARTIAL_FAILURE", message: `${failed} of ${of} branches of "fan" failed` },
});
