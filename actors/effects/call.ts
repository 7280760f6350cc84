/** A `call_workflow`: its document found, its inputs rendered and checked, before its run is born. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Prepared, PrepareInput } from "../../machines/contracts.ts";
import { own } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { callersOf } from "../../machines/step/attempts.ts";
import type { CallNode, Workflow } from "../../machines/workflow/document.ts";
import { expressionEnv } from "../../machines/workflow/expression-env.ts";
import { resolveInputs } from "../../machines/workflow/inputs.ts";
import { limitsOf } from "../base/limits.ts";
import { isPath } from "../catalogue/identifier.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { learnWritten } from "../masking/written.ts";
import { type ChildEnvironment, commandEnvironment } from "../process/environment.ts";
import type { EffectOptions } from "./options.ts";
import type { Rendering } from "./rendering.ts";

/** What the called run is born with. Throws a `TroupeError`. */
export async function preparedCall(
  { origin, scope }: PrepareInput,
  node: CallNode,
  rendering: Rendering,
  options: EffectOptions,
): Promise<Prepared> {
  const where = `states.${node.name}`;
  const { callDepth } = limitsOf(options.limits);
  if (origin.depth >= callDepth) {
    const message = `${where}: more than ${callDepth} calls stand above each other; does a workflow call itself?`;
    throw new TroupeError("WORKFLOW.CALL.TOO_DEEP", message);
  }
  const name = calledName(node.workflow, `${where}.workflow`, rendering);
  const { workflow } = await options.loadWorkflow(name, { cwd: scope.context.WorkingDir, file: scope.file });
  const callers = callersOf(origin, scope);
  const first = workflow.file === null ? -1 : callers.findIndex(({ file }) => file === workflow.file);
  if (first !== -1) {
    const circle = [...callers.slice(first).map((caller) => caller.name), name];
    const how = circle.length === 2 ? "itself" : `its way back here: ${circle.join(", then ")}`;
    const message = `${where}: workflow "${name}" calls ${how}; use a while state to do something again`;
    throw new TroupeError("WORKFLOW.CALL.CIRCULAR", message, { circle });
  }
  if (options.mask !== undefined) learnWritten(options.mask, workflow);
  const given = rendering.record(node.inputs, `${where}.inputs`);
  const resolved = resolveInputs(workflow.inputs, given, {
    fileExists: (path) => existsSync(resolve(scope.context.WorkingDir, path)),
  });
  for (const [name, value] of Object.entries(given))
    if (isSecretName(name)) options.mask?.learn(`call/${origin.run}/${origin.step}/${name}`, value);
  if (!resolved.ok) {
    const [first] = resolved.faults;
    const message = resolved.faults.map((fault) => fault.message).join("; ");
    throw new TroupeError(first?.code ?? "USER.INPUT.VALIDATION_FAILED", `${where}: calling "${name}": ${message}`);
  }
  const env = environmentOf(workflow, commandEnvironment(options.environment), `${where}: calling "${name}"`);
  return { type: "call", run: options.newRun(), workflow, inputs: resolved.inputs, env };
}

/**
 * The workflow that is called. A template's value may come from an input, a model or a page: it names a workflow that
 * the directory lists, never a file. A path is the author's word and stands in the document as it is.
 */
function calledName(workflow: string, where: string, rendering: Rendering): string {
  const name = rendering.text(workflow, where);
  if (!workflow.includes("{{") || !isPath(name)) return name;
  const shown = JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
  const message = `${where}: ${shown} is a path: a template may give the name of a workflow, as \`troupe list\` shows it; write a path without a template`;
  throw new TroupeError("USER.FACADE.IDENTIFIER_MALFORMED", message, { field: where });
}

/** What the document's expressions read. The variables that it declares must be set, as for a run of its own. */
function environmentOf(workflow: Workflow, environment: ChildEnvironment, where: string): ChildEnvironment {
  const unset = workflow.env.filter((name) => (own(environment, name) ?? "") === "");
  if (unset.length > 0) {
    const message = `${where}: not set in the environment, and needed: ${unset.join(", ")}`;
    throw new TroupeError("USER.INPUT.MISSING", message, { variables: unset });
  }
  const values = expressionEnv(workflow).map((name): [string, string | undefined] => [name, own(environment, name)]);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
