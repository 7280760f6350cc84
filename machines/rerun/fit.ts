/**
 * Whether what a run takes over of an earlier one still fits its document: compared by step.
 *
 * I1. A step fits where what it does is the same. Where it leads, what it is called in words, what it may spend and
 *     where it stands in its file make no result.
 * I2. An input that has another value now is part of what a step does that names it. Files that a step reads are not
 *     looked at.
 */
import { type Json, own } from "../model.ts";
import { nodesBelow } from "../workflow/below.ts";
import type { Node, Workflow } from "../workflow/document.ts";
import { textReferences, workflowReads } from "../workflow/reads.ts";
import { nodeTexts, type Text } from "../workflow/texts.ts";

type Ran = { workflow: Workflow; inputs: { readonly [name: string]: Json } };
/** `steps`: those that are not run again. `results`: the states whose results are there. `loop`: the one whose rounds are taken over. */
export type Compared = {
  before: Ran;
  now: Ran;
  steps: readonly string[];
  results: readonly string[];
  loop: string | null;
};

/** What does not fit, a line each. */
export function misfits({ before, now, steps, results, loop }: Compared): string[] {
  const changed = changedInputs(before, now);
  const all = [...new Set([...steps, ...(loop === null ? [] : [loop])])];
  const named = new Set(all.flatMap((name) => [name, ...belowOf(before.workflow, name)]));
  const reads = workflowReads(now.workflow);
  const readBefore = workflowReads(before.workflow);
  const isLost =
    loop !== null && readBefore !== "all" && !readBefore.includes(loop) && (reads === "all" || reads.includes(loop));
  return [
    ...(isLost
      ? [`"${loop}": what its rounds have left was not kept, since nothing read it then, and something reads it now`]
      : []),
    ...[...named].flatMap((name) => misfit(name, before.workflow, now.workflow, changed)),
    ...[...named]
      .filter((name) => name !== loop && reads !== "all" && reads.includes(name) && !results.includes(name))
      .filter((name) => steps.includes(name))
      .map((name) => `"${name}": its result was not kept, since nothing read it then, and something reads it now`),
  ];
}

function belowOf({ states }: Workflow, name: string): string[] {
  const node = own(states, name);
  return node === undefined || node.type === "terminal" ? [] : Object.keys(nodesBelow(node, states));
}

function misfit(name: string, before: Workflow, now: Workflow, changed: readonly string[]): string[] {
  const was = own(before.states, name);
  const is = own(now.states, name);
  if (was === undefined) return [];
  if (is === undefined) return [`"${name}" is not there any more`];
  if (was.type !== is.type) return [`"${name}": type changed`];
  const [one, other] = [workOf(was), workOf(is)];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const different = fields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
  if (different.length > 0) return [`"${name}": ${different.map((field) => wordOf(field, is)).join(", ")} changed`];
  const inputs = changed.filter((input) => nodeTexts(is).some((text) => readsInput(text, input)));
  return inputs.length === 0
    ? []
    : [`"${name}" reads ${inputs.map((input) => `inputs.${input}`).join(", ")}, which has another value`];
}

const ASIDE: ReadonlySet<string> = new Set([
  ...["line", "description", "transitions", "onSuccess", "onFailure", "onSkip", "onComplete", "continueOnError"],
  ...["timeoutMs", "retry", "recover", "approval", "dependsOn", "fanned", "maxIterations", "limit"],
  ...["budget", "maxConcurrent", "repair", "requires"],
]);
const workOf = (node: Node): { [field: string]: unknown } =>
  Object.fromEntries(Object.entries(node).filter(([field]) => !ASIDE.has(field)));
/** As the file writes it. */
function wordOf(field: string, node: Node): string {
  if (field === "run" && node.type === "command") return "command" in node.run ? "command" : "script_file";
  return own(WORDS, field) ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
const WORDS: { readonly [field: string]: string } = { branches: "parallel", test: "while", maxOutputBytes: "capture" };

/** Too often rather than too seldom: of a text that cannot be read, or that takes whichever it finds, each may be meant. */
const readsInput = (text: Text, input: string): boolean =>
  textReferences(text)?.some(({ path: [root, name] }) => root === "inputs" && (name === undefined || name === input)) ??
  text.text.includes("inputs");

const changedInputs = (before: Ran, now: Ran): string[] =>
  [...new Set([...Object.keys(before.inputs), ...Object.keys(now.inputs)])].filter(
    (name) => JSON.stringify(own(before.inputs, name)) !== JSON.stringify(own(now.inputs, name)),
  );
