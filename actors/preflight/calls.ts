/**
 * The workflows that steps call: they are there, can be run, and take what they are given.
 *
 * I1. What a called workflow would be refused for, the call is reported with; each file is looked at once.
 */
import { type Json, own } from "../../machines/model.ts";
import { missedOutputs, outputsHere } from "../../machines/workflow/check/call-outputs.ts";
import type { CallNode, Input, Workflow } from "../../machines/workflow/document.ts";
import { resolveInputs } from "../../machines/workflow/inputs.ts";
import { isRendered } from "../../machines/workflow/option-table.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import type { Loaded } from "../catalogue/catalogue.ts";
import { isPath } from "../catalogue/identifier.ts";
import type { KnownTexts } from "../catalogue/known.ts";
import type { Code } from "../errors/codes.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import type { Faults } from "./subject.ts";

export type Calls = {
  /** Finds a workflow by name, from the file of its caller. Throws a `TroupeError`. */
  load: (name: string, from: string | null) => Promise<Loaded>;
  /** Why a run of it would be refused; null where it would not. */
  refusal: (called: Loaded) => Promise<string | null>;
};

const LOST = new Set<Code>([
  "USER.FACADE.WORKFLOW_NOT_FOUND",
  "USER.FACADE.IDENTIFIER_MALFORMED",
  "USER.FACADE.IDENTIFIER_EMPTY",
  "USER.FACADE.PACK_NOT_FOUND",
]);

export async function checkCall(
  node: CallNode,
  workflow: Workflow,
  { known, faults, calls }: { known: KnownTexts; faults: Faults; calls: Calls },
): Promise<void> {
  const name = known.text(node.workflow);
  // A path is the author's word alone: what a template makes of one is refused when it runs.
  if (name === null || (name !== node.workflow && isPath(name))) return;
  const at = ["workflow"];
  let called: Loaded;
  try {
    called = await calls.load(name, workflow.file);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    const { code, message } = troupeError(error);
    const given = name !== node.workflow;
    if (LOST.has(code)) faults.add(node.name, { code: "USER.FACADE.WORKFLOW_NOT_FOUND", message, at, given });
    else {
      const unfit = `"${name}" cannot be run: ${message}`;
      faults.add(node.name, { code: "WORKFLOW.VALIDATION.FAILED", message: unfit, at, given });
    }
    return;
  }
  checkGiven(node, name, called.workflow.inputs, faults);
  const outputs = Object.keys(called.workflow.outputs);
  checkTaken(node, name, outputs, faults);
  // Which one a template names is seen by the texts that read it, too.
  if (name === node.workflow) checkRead(node, { workflow, name, outputs }, faults);
  const why = await calls.refusal(called);
  if (why === null) return;
  faults.add(node.name, {
    code: "WORKFLOW.VALIDATION.FAILED",
    message: `"${name}" would be refused: ${why}`,
    at,
    maybe: true,
  });
}

/** The inputs of the call against those that are declared. What is not declared is passed on, as AWF does. */
function checkGiven(node: CallNode, called: string, inputs: readonly Input[], faults: Faults): void {
  const names = inputs.map(({ name }) => name);
  const misspelt = new Set<string | null>();
  for (const name of Object.keys(node.inputs)) {
    if (names.includes(name)) continue;
    const suggestion = suggest(name, names);
    misspelt.add(suggestion);
    const expected = names.length === 0 ? "none: it takes no inputs" : `one of ${names.join(", ")}`;
    const message = `"${called}" has no input "${name}"`;
    const maybe = suggestion === null;
    const meant = inputs.find((input) => input.name === suggestion);
    const passes = meant === undefined || resolveInputs([meant], {}).ok;
    faults.add(node.name, {
      code: "USER.INPUT.UNKNOWN",
      message,
      expected,
      suggestion,
      at: ["inputs", name],
      on: "key",
      maybe,
      passes,
    });
  }
  for (const input of inputs) {
    const value: Json = own(node.inputs, input.name) ?? null;
    if (misspelt.has(input.name) || (value !== null && isRendered(value))) continue;
    const resolved = resolveInputs([input], value === null ? {} : { [input.name]: value });
    for (const { code, message } of resolved.ok ? [] : resolved.faults)
      faults.add(node.name, {
        code:
          code === "USER.INPUT.MISSING" || code === "USER.INPUT.INVALID_FORMAT" ? code : "USER.INPUT.VALIDATION_FAILED",
        message: `calling "${called}": ${message}`,
        at: ["inputs", ...(value === null ? [] : [input.name])],
      });
  }
}

/** The outputs that get a name here. One that is not there is missed only where that name is read. */
function checkTaken(node: CallNode, called: string, names: readonly string[], faults: Faults): void {
  for (const name of Object.keys(node.outputs)) {
    if (names.includes(name)) continue;
    const suggestion = suggest(name, names);
    faults.add(node.name, {
      code: "WORKFLOW.VALIDATION.UNDEFINED_NAME",
      message: `"${called}" has no output "${name}"`,
      expected: names.length === 0 ? "none: it gives no outputs" : `one of ${names.join(", ")}`,
      suggestion,
      at: ["outputs", name],
      on: "key",
      maybe: true,
      passes: true,
    });
  }
}

/** What is read of its outputs. One that it gives under another name here is known by that name. */
function checkRead(
  node: CallNode,
  { workflow, name: called, outputs }: { workflow: Workflow; name: string; outputs: readonly string[] },
  faults: Faults,
): void {
  const names = outputsHere(node, outputs);
  for (const { name, state, path } of missedOutputs(workflow, node, names)) {
    const here = outputs.includes(name) ? own(node.outputs, name) : undefined;
    const why = here === undefined ? `"${called}" has no such output` : `it gets the name "${here}" here`;
    faults.add(state, {
      code: "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY",
      message: `the answer of "${node.name}" has no "${name}": ${why}`,
      expected: names.length === 0 ? "none: it gives no outputs" : `one of ${names.join(", ")}`,
      suggestion: here ?? suggest(name, names),
      at: path,
    });
  }
}
