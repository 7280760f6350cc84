/**
 * The effect `prepare`: what a container needs before it can begin, or the words of an approval, rendered. Rejects with a `TroupeError`.
 *
 * I1. Items beyond `max_iterations` are left out without a word, as AWF does.
 */
import type { Prepared, PrepareInput } from "../../machines/contracts.ts";
import { isWork } from "../../machines/workflow/document.ts";
import type { WorkContext } from "../host/host.ts";
import { boundOf } from "./bound.ts";
import { preparedCall } from "./call.ts";
import { itemsOf } from "./items.ts";
import type { EffectOptions } from "./options.ts";
import { Rendering } from "./rendering.ts";
import { warningsOf } from "./warnings.ts";

export function prepare(options: EffectOptions): (input: PrepareInput, context: WorkContext) => Promise<Prepared> {
  return async (input, context) => {
    const { node, scope } = input;
    const rendering = new Rendering(scope, options, warningsOf(context, input.origin));
    if (input.purpose === "approve") {
      const message = rendering.text(node.approval?.message ?? "", `states.${node.name}.approval.message`);
      return { type: "approval", message };
    }
    if (isWork(node)) throw new Error(`states.${node.name}: a ${node.type} step needs no preparing`);
    switch (node.type) {
      case "for_each": {
        const maxIterations = boundOf(node, scope, rendering);
        return { type: "loop", items: itemsOf(node, rendering).slice(0, maxIterations), maxIterations };
      }
      case "while":
        return { type: "loop", items: null, maxIterations: boundOf(node, scope, rendering) };
      case "call_workflow":
        return preparedCall(input, node, rendering, options);
      case "parallel":
        throw new Error(`states.${node.name}: a ${node.type} step needs no preparing`);
      default:
        return node satisfies never;
    }
  };
}
