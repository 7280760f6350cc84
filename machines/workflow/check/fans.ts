/** A `for_each` whose rounds run at once: each is by itself, so no way leads out of one, and nothing outside reads of one. */
import { nodesBelow } from "../below.ts";
import type { ForEachNode, LoopNode, StepNode, Workflow } from "../document.ts";
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
  for (const fan of fansOf(workflow)) checkWays(workflow, report, fan, { loop: fan, inside: [] });
}

/** The ways of the states of a loop, and of loops in it: what leads out of those is a way of the round. */
function checkWays(
  workflow: Workflow,
  report: Report,
  fan: ForEachNode,
  at: { loop: LoopNode; inside: readonly LoopNode[] },
): void {
  const inside = [...at.inside, at.loop];
  const isInside = (target: string): boolean =>
    inside.some(({ name, body }) => target === name || body.includes(target));
  for (const name of at.loop.body) {
    const node = workflow.states[name];
    if (node === undefined || node.type === "terminal") continue;
    for (const [target, field] of waysOn(node)) {
      if (isInside(target)) continue;
      report.add({
        code: "WORKFLOW.VALIDATION.INVALID_TRANSITION",
        message: `"${name}" leads to "${target}", out of a round of "${fan.name}": others run beside it, so that round just ends there`,
        expected: `a state of its body, or "${fan.name}" for the next one of it; where the loop leads says its on_complete`,
        path: ["states", name, ...field],
        loads: true,
      });
    }
    const isLoop = node.type === "while" || (node.type === "for_each" && node.fanned === undefined);
    if (isLoop && !inside.includes(node)) checkWays(workflow, report, fan, { loop: node, inside });
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
const waysOn = ({ onSuccess, onSkip, transitions, ...node }: StepNode): [string, Path][] => [
  ...("onComplete" in node && node.onComplete !== null ? [[node.onComplete, ["on_complete"]] as [string, Path]] : []),
  ...(onSuccess === null ? [] : [[onSuccess, ["on_success"]] as [string, Path]]),
  ...(onSkip === undefined ? [] : [[onSkip, ["on_skip"]] as [string, Path]]),
  ...transitions.map(({ goto }, index): [string, Path] => [goto, ["transitions", index, "goto"]]),
];
