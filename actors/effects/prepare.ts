/**
 * The effect `prepare`: what a container needs before it can begin, what a person is asked, or the words of an approval, rendered. Rejects with a `TroupeError`.
 *
 * I1. Items beyond `max_iterations` are left out without a word, as AWF does; but of rounds that run at once, only where
 *     the file sets that bound.
 */
import type { Prepared, PrepareInput } from "../../machines/contracts.ts";
import { isWork, type StepNode } from "../../machines/workflow/document.ts";
import type { WorkContext } from "../host/host.ts";
import { boundOf } from "./bound.ts";
import { preparedCall } from "./call.ts";
import type { Fields } from "./deed.ts";
import { itemsOf, leavesOut, tooMany } from "./items.ts";
import type { EffectOptions } from "./options.ts";
import { formOf } from "./questions.ts";
import { Rendering } from "./rendering.ts";
import { warningsOf } from "./warnings.ts";
import { workDeed } from "./work.ts";

export function prepare(options: EffectOptions): (input: PrepareInput, context: WorkContext) => Promise<Prepared> {
  return async (input, context) => {
    const { node, scope } = input;
    const rendering = new Rendering(scope, options, warningsOf(context, input.origin));
    if (input.purpose === "approve") {
      const words = node.approval?.message ?? null;
      const message = words === null ? null : rendering.text(words, `states.${node.name}.approval.message`);
      return { type: "approval", message, does: deedOf(node, new Rendering(scope, options, () => undefined)) };
    }
    if (isWork(node)) throw new Error(`states.${node.name}: a ${node.type} step needs no preparing`);
    switch (node.type) {
      case "for_each": {
        const maxIterations = boundOf(node, scope, rendering);
        const items = itemsOf(node, rendering, maxIterations);
        const isCut = items.length > maxIterations;
        if (isCut && node.fanned !== undefined && !leavesOut(node, maxIterations))
          throw tooMany(node, `${items.length} items`);
        return { type: "loop", items: isCut ? items.slice(0, maxIterations) : items, maxIterations };
      }
      case "while":
        return { type: "loop", items: null, maxIterations: boundOf(node, scope, rendering) };
      case "call_workflow":
        return preparedCall(input, node, rendering, options);
      case "ask":
        return { type: "form", form: formOf(node, rendering) };
      case "parallel":
        throw new Error(`states.${node.name}: a ${node.type} step needs no preparing`);
      default:
        return node satisfies never;
    }
  };
}

/** What a step would do, for the person who is asked whether it may. Throws a `TroupeError` where it could not run. */
export function deedOf(node: StepNode, rendering: Rendering): Fields {
  if (isWork(node)) return workDeed(node, rendering);
  switch (node.type) {
    case "call_workflow":
      return { workflow: rendering.text(node.workflow, `states.${node.name}.workflow`) };
    case "ask":
      return { questions: node.questions.map(({ name }) => name) };
    case "parallel":
      return { branches: node.branches };
    case "for_each":
    case "while":
      return { body: node.body };
    default:
      return node satisfies never;
  }
}
