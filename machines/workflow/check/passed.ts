/**
 * Ways on that no run takes: a `transitions` entry without `when` is taken after every success and every failure, so
 * that nothing behind it is asked. A skipped step passes such an entry over: of `on_skip` nothing is said.
 */
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { locate } from "../yaml/located.ts";

/** The fields that name a way on and can never be followed, each with its place in the file. */
function passedOver(node: StepNode, first: number): { field: string; at: (string | number)[] }[] {
  const behind = node.transitions.slice(first + 1).map((_, index) => first + 1 + index);
  const isLoop = node.type === "for_each" || node.type === "while";
  const named = {
    on_complete: isLoop ? node.onComplete : null,
    on_success: node.onSuccess,
    on_failure: node.onFailure,
  };
  return [
    ...behind.map((index) => ({ field: `transitions[${index}]`, at: ["transitions", index] })),
    ...Object.entries(named).flatMap(([field, name]) => (name === null ? [] : [{ field, at: [field] }])),
  ];
}

export function checkPassedOver(workflow: Workflow, report: Report): void {
  for (const node of Object.values(workflow.states)) {
    if (node.type === "terminal") continue;
    const first = node.transitions.findIndex(({ when }) => when === undefined);
    if (first < 0) continue;
    const when = ["states", node.name, "transitions", first, "when"];
    if (locate(report.root, when).exact) continue; // one that is empty is told, and what follows from it is not
    for (const { field, at } of passedOver(node, first)) {
      report.add({
        code: "WORKFLOW.VALIDATION.NEVER_FOLLOWED",
        message: `${field} of "${node.name}" is never followed: transitions[${first}] has no when, and is taken first, after a failure too`,
        expected: `a when at transitions[${first}], or no ${field}`,
        path: ["states", node.name, ...at],
        on: "key",
        loads: true,
        maybe: true,
      });
    }
  }
}
