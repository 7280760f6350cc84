/** A step that is skipped after a no leads somewhere, or the author knows that the run ends there as skipped. */
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { namesSkipped } from "../route.ts";

const leadsOn = ({ onSkip, transitions }: StepNode): boolean => onSkip !== undefined || transitions.some(namesSkipped);

export function checkSkips(workflow: Workflow, report: Report): void {
  const steps = Object.values(workflow.states).filter((node) => node.type !== "terminal");
  for (const node of steps) {
    if (node.approval?.onDeny !== "skip") continue;
    // A branch's own transitions are not followed, and not every strategy needs all of them.
    const holders = steps.filter((each) => each.type === "parallel" && each.branches.includes(node.name));
    const needed = holders.filter((each) => each.type === "parallel" && each.strategy === "all_succeed");
    const dead = holders.length > 0 ? needed.find((each) => !leadsOn(each)) : leadsOn(node) ? undefined : node;
    if (dead === undefined) continue;
    const place = dead === node ? "it" : `the parallel "${dead.name}"`;
    report.add({
      code: "WORKFLOW.VALIDATION.SKIP_WITHOUT_WAY",
      message: `after a no "${node.name}" is skipped, and the run ends there as skipped: ${place} names no on_skip`,
      expected: "on_skip with the state that comes next, or on_deny: error",
      path: ["states", node.name, "approval", "on_deny"],
      loads: true,
      maybe: true,
    });
  }
}
