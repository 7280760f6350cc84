/** A `for_each` whose rounds run at once: each is by itself, so no way leads out of one, and nothing outside reads of one. */
import { nodesBelow } from "../below.ts";
import type { ForEachNode, StepNode, Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";

/** The loop whose rounds a state stands in by itself, seen from a place outside of them. */
export function fanAround(workflow: Workflow, name: string, { state, path }: { state: string | null; path: Path }) {
  return fansOf(workflow).find((fan) => {
    const below = nodesBelow(fan, workflow.states);
    if (!Object.hasOwn(below, name)) return false;
    return state === null || (!Object.hasOwn(below, state) && !(state === fan.name && path.includes("break_when")));
  });
}

export function checkFans(workflow: Workflow, report: Report): void {
  for (const fan of fansOf(workflow)) {
    for (const name of fan.body) {
      const node = workflow.states[name];
      if (node === undefined || node.type === "terminal") continue;
      for (const [target, field] of waysOn(node)) {
        if (target === fan.name || fan.body.includes(target)) continue;
        report.add({
          code: "WORKFLOW.VALIDATION.INVALID_TRANSITION",
          message: `"${name}" leads to "${target}", out of a round of "${fan.name}": others run beside it, so that round just ends there`,
          expected: `a state of its body, or "${fan.name}" for the next one of it; where the loop leads says its on_complete`,
          path: ["states", name, ...field],
          loads: true,
        });
      }
    }
  }
}

const known = new WeakMap<Workflow, ForEachNode[]>();
function fansOf(workflow: Workflow): ForEachNode[] {
  const cached = known.get(workflow);
  if (cached !== undefined) return cached;
  const fans = Object.values(workflow.states).filter((node) => node.type === "for_each" && node.fanned !== undefined);
  known.set(workflow, fans as ForEachNode[]);
  return fans as ForEachNode[];
}

/** Where a state leads that did not simply fail. */
const waysOn = ({ onSuccess, onSkip, transitions }: StepNode): [string, Path][] => [
  ...(onSuccess === null ? [] : [[onSuccess, ["on_success"]] as [string, Path]]),
  ...(onSkip === undefined ? [] : [[onSkip, ["on_skip"]] as [string, Path]]),
  ...transitions.map(({ goto }, index): [string, Path] => [goto, ["transitions", index, "goto"]]),
];
