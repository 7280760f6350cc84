/** Steps that a step depends on: each can have completed before it begins, or it never runs. */
import { own } from "../../model.ts";
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { fanAround } from "./fans.ts";
import { enter, exit, type Flow, laterThan } from "./flow.ts";

/** How far all questions of order together may walk. */
const MOST_STEPS = 1_000_000;

export function checkDepends(workflow: Workflow, flow: Flow, report: Report): void {
  const steps = { left: MOST_STEPS };
  for (const node of Object.values(workflow.states)) {
    if (node.type === "terminal" || !flow.reached.has(node.name)) continue;
    for (const [index, name] of node.dependsOn.entries()) {
      if (own(workflow.states, name) === undefined) continue; // it is told
      const path = ["states", node.name, "depends_on", index];
      const fan = fanAround(workflow, name, { state: node.name, path });
      const isLater = fan === undefined && laterThan(flow, exit(name), steps)(enter(node.name));
      if (isLater) continue;
      report.add({
        code: "WORKFLOW.VALIDATION.FORWARD_REFERENCE",
        message:
          fan === undefined
            ? `"${node.name}" depends on "${name}", which cannot have completed before it`
            : `"${node.name}" depends on "${name}", which runs once for each item of "${fan.name}"`,
        expected: fan === undefined ? "a step that runs earlier" : `"${fan.name}"`,
        path,
        loads: true,
      });
    }
  }
}
