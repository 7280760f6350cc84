/** Descriptions are shown before anything runs, as they are written: a template in one is a slip. */
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";
import { child } from "../yaml/located.ts";

export function checkDescriptions(workflow: Workflow, report: Report): void {
  const check = (text: string | undefined, path: Path): void => {
    if (text?.includes("{{") !== true) return;
    report.add({
      code: "WORKFLOW.VALIDATION.BAD_TEMPLATE",
      message: "a description is shown as it is written: {{…}} is not rendered here",
      expected: "plain words",
      path,
      loads: true,
      maybe: true,
    });
  };
  check(workflow.description, ["description"]);
  const isList = child(report.root, "inputs")?.items !== undefined;
  for (const [index, { name, description }] of workflow.inputs.entries())
    check(description, ["inputs", isList ? index : name, "description"]);
  for (const node of Object.values(workflow.states))
    if (node.type !== "terminal") check(node.description, ["states", node.name, "description"]);
}
