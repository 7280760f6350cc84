/**
 * What a workflow reads of the outputs of one that it calls, looked at across files: each is one that is given.
 *
 * I1. A workflow's texts are read once, however many calls it has.
 */
import type { CallNode, Workflow } from "../document.ts";
import { textReferences } from "../reads.ts";
import { nodeTexts, type Path, type Text, workflowTexts } from "../texts.ts";
import { folded } from "./names.ts";

/** `state`: where it is read; null for a text of the workflow itself, whose path begins at the document. */
export type OutputRead = { name: string; state: string | null; path: Path };

const ANSWER = ["json", "response"];

/** The names that its outputs have here. */
export const outputsHere = ({ outputs }: CallNode, given: readonly string[]): string[] =>
  given.map((name) => (Object.hasOwn(outputs, name) ? (outputs[name] ?? name) : name));

/** What is read of the call's answer and is none of `names`, once a text. */
export const missedOutputs = (workflow: Workflow, call: CallNode, names: readonly string[]): OutputRead[] =>
  (readsOf(workflow).get(call.name) ?? []).filter(({ name }) => !names.includes(name));

const known = new WeakMap<Workflow, Map<string, OutputRead[]>>();

/** By the states of whose answers something is read (I1). */
function readsOf(workflow: Workflow): Map<string, OutputRead[]> {
  const cached = known.get(workflow);
  if (cached !== undefined) return cached;
  const reads = new Map<string, OutputRead[]>();
  const look = (text: Text, state: string | null): void => {
    const told = new Set<string>();
    for (const { path } of textReferences(text) ?? []) {
      const [root, step = "", property = "", name] = path;
      if (root !== "states" || name === undefined || !ANSWER.includes(folded(property))) continue;
      const key = JSON.stringify([step, name]);
      if (told.has(key)) continue;
      told.add(key);
      const one = { name, state, path: text.path };
      const others = reads.get(step);
      if (others === undefined) reads.set(step, [one]);
      else others.push(one);
    }
  };
  for (const node of Object.values(workflow.states)) for (const text of nodeTexts(node)) look(text, node.name);
  for (const text of workflowTexts(workflow)) look(text, null);
  known.set(workflow, reads);
  return reads;
}
