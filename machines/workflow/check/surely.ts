/**
 * The steps that every run comes to which does not fail, whatever its values are.
 *
 * I1. In doubt a step is none of them: a condition before it, a no, or a loop without a round may leave it out.
 */
import { own } from "../../model.ts";
import { within } from "../below.ts";
import type { StepNode, Workflow } from "../document.ts";

/** Where control surely goes after a success; null where that depends. */
function next(node: StepNode): string | null {
  const [first] = node.transitions;
  if (first !== undefined) return first.when === undefined ? first.goto : null;
  if (node.approval?.onDeny === "skip") return null;
  const onComplete = node.type === "for_each" || node.type === "while" ? node.onComplete : null;
  return onComplete ?? node.onSuccess;
}

/** From the first step on, as far as no condition decides. */
export function surelyReached({ initial, states }: Workflow): ReadonlySet<string> {
  const sure = new Set<string>();
  for (let name: string | null = initial; name !== null && !sure.has(name); ) {
    sure.add(name);
    const node = own(states, name);
    if (node === undefined || node.type === "terminal") break;
    if (node.type === "parallel") for (const branch of within(node)) sure.add(branch);
    name = next(node);
  }
  return sure;
}
