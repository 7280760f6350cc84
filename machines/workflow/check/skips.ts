/** A step that is skipped after a no leads somewhere, or the author knows that the run ends there as skipped. */
import { within } from "../below.ts";
import type { StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { namesSkipped } from "../route.ts";

const leadsOn = ({ onSkip, transitions }: StepNode): boolean => onSkip !== undefined || transitions.some(namesSkipped);

/** Whether a container is skipped with one that stands in it: not every strategy needs all of them. */
const needsAll = (node: StepNode): boolean => {
  const strategy =
    node.type === "parallel" ? node.strategy : node.type === "for_each" ? node.fanned?.strategy : undefined;
  return strategy === undefined || strategy === "all_succeed";
};

/** The step at which a run ends that skips `node`: itself, or a parallel around it; undefined where a way leads on. */
function endsAt(node: StepNode, steps: readonly StepNode[], seen: readonly StepNode[] = []): StepNode | undefined {
  if (seen.includes(node)) return undefined;
  const around = steps.filter((each) => within(each).includes(node.name));
  const above = (holders: readonly StepNode[]): StepNode | undefined =>
    holders.map((each) => (needsAll(each) ? endsAt(each, steps, [...seen, node]) : undefined)).find(Boolean);
  const fans = around.filter(({ type }) => type === "parallel");
  // A branch's own transitions are not followed.
  if (fans.length > 0) return above(fans);
  if (leadsOn(node)) return undefined;
  // A loop is skipped with what is in it, and may lead on itself.
  return around.length === 0 || above(around) !== undefined ? node : undefined;
}

export function checkSkips(workflow: Workflow, report: Report): void {
  const steps = Object.values(workflow.states).filter((node) => node.type !== "terminal");
  for (const node of steps) {
    if (node.approval?.onDeny !== "skip") continue;
    const dead = endsAt(node, steps);
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
