/** A for_each whose rounds run at once, on its own. */
import type { LoopInput } from "../../../machines/contracts.ts";
import { loopMachine } from "../../../machines/loop-machine.ts";
import type { Json } from "../../../machines/model.ts";
import type { ForEachNode, Node } from "../../../machines/workflow/document.ts";
import { command, forEach, nodesOf, ORIGIN, SCOPE } from "../../support/documents.ts";
import { brief, Solo } from "../../support/machine.ts";

export type More = Partial<ForEachNode> & { max?: number; items?: Json[]; nodes?: Node[]; keep?: LoopInput["keep"] };
/** The birth of the loop. */
export function input({
  max = 2,
  items = ["x", "y", "z"],
  nodes = [command("one")],
  keep = [],
  ...more
}: More = {}): LoopInput {
  const body = nodes.map(({ name }) => name);
  const node = forEach("each", body, { fanned: { strategy: "all_succeed", maxConcurrent: max }, ...more });
  return {
    ...{ origin: { ...ORIGIN, step: "each" }, node, nodes: nodesOf(...nodes), scope: SCOPE },
    ...{ items, maxIterations: 10_000, keep },
  };
}
export const fan = (more: More = {}) => new Solo(loopMachine, "loop/1", input(more));
export const all = (solo: Solo) => solo.effects.map(brief);
