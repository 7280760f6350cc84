/**
 * Ways on that no run takes: a `transitions` entry without `when` is taken after every success and every failure, so
 * that nothing behind it is asked. A skipped step passes such an entry over: of `on_skip` nothing is said. Without such
 * an entry, one field may still take the place of another.
 */
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { locate, pathText } from "../yaml/located.ts";

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

/** Fields in whose place another one is followed, with why, and what to write instead. */
function replaced(node: StepNode): { field: string; why: string; expected: string }[] {
  const isLoop = node.type === "for_each" || node.type === "while";
  return [
    ...(node.continueOnError && node.onFailure !== null
      ? [
          {
            field: "on_failure",
            why: "with continue_on_error a failure goes where a success goes",
            expected: "on_failure, or continue_on_error",
          },
        ]
      : []),
    ...(isLoop && node.onComplete !== null && node.onSuccess !== null
      ? [{ field: "on_success", why: "a loop follows its on_complete", expected: "on_complete alone" }]
      : []),
  ];
}

export function checkPassedOver(workflow: Workflow, report: Report): void {
  for (const node of Object.values(workflow.states)) {
    if (node.type === "terminal") continue;
    const first = node.transitions.findIndex(({ when }) => when === undefined);
    if (first < 0) {
      for (const { field, why, expected } of replaced(node))
        report.add({
          code: "WORKFLOW.VALIDATION.NEVER_FOLLOWED",
          message: `${field} of "${node.name}" is never followed: ${why}`,
          expected,
          path: ["states", node.name, field],
          on: "key",
          loads: true,
          maybe: true,
        });
      continue;
    }
    const when = ["states", node.name, "transitions", first, "when"];
    // One that is empty, or misspelt, is told, and what follows from it is not.
    if (locate(report.root, when).exact || report.meant.has(pathText(when))) continue;
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
