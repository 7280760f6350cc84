/**
 * Starts a run for a host.
 *
 * I1. Values of secret inputs come from the server's environment; a call that brings one is refused.
 * I2. Consent is never given here: what is not trusted is refused by the run.
 */
import { filter, firstValueFrom, race } from "rxjs";
import { type Environment, suggest, TroupeError, type WorkflowSummary } from "../../actors/troupe.ts";
import { secretInputs, secretVariable } from "../../projections/mcp/input-schema.ts";
import type { McpServed } from "./served.ts";

export type Arguments = { readonly [name: string]: unknown };

/** Resolves with its id when it has begun. Throws what kept it from that. */
export async function startRun(
  { troupe, cwd, environment }: McpServed,
  workflow: WorkflowSummary,
  given: Arguments,
): Promise<string> {
  const secrets = secretsOf(workflow, environment);
  for (const { name, required, default: initial } of secretInputs(workflow.inputs)) {
    const variable = secretVariable(name);
    if (Object.hasOwn(given, name))
      throw new TroupeError(
        "USER.INPUT.UNKNOWN",
        `input "${name}" is a secret: it comes from ${variable} of the server's environment, not from a call`,
      );
    if (required && (initial ?? null) === null && !Object.hasOwn(secrets, name))
      throw new TroupeError(
        "USER.INPUT.MISSING",
        `input "${name}" is a secret: set ${variable} in the environment of the MCP server`,
      );
  }
  for (const [name, value] of Object.entries(given)) {
    const input = workflow.inputs.find((one) => one.name === name);
    if (input === undefined) throw unknown(name, workflow);
    if (typeof value === "object" && value !== null)
      throw noValue(input, Array.isArray(value) ? "a list" : "an object");
  }
  const run = await troupe.run({
    cwd,
    workflow: workflow.id,
    inputs: { ...textsOf(given), ...secrets },
    consent: "nobody",
  });
  const begun = run.session
    .log$()
    .pipe(filter((frames) => frames.some((row) => row.type === "run.started" && row.run === run.id)));
  await firstValueFrom(race(begun, run.done));
  return run.id;
}

/** The values that the environment has for the secret inputs of a workflow. */
export function secretsOf({ inputs }: WorkflowSummary, environment: Environment): { [name: string]: string } {
  return Object.fromEntries(
    secretInputs(inputs).flatMap(({ name }) => {
      const value = environment[secretVariable(name)];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

/** Inputs as the facade takes them: text, with what is no text as JSON. Null is not given. */
const textsOf = (given: Arguments): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

const EXPECTED = { string: "text", integer: "a whole number", boolean: "true or false" } as const;
const noValue = ({ name, type }: WorkflowSummary["inputs"][number], given: string): TroupeError =>
  new TroupeError("USER.INPUT.VALIDATION_FAILED", `input "${name}": expected ${EXPECTED[type]}, not ${given}`);

function unknown(name: string, { inputs }: WorkflowSummary): TroupeError {
  const names = inputs.map((input) => input.name);
  const meant = suggest(name, names);
  const question = meant === null ? "" : ` Did you mean "${meant}"?`;
  const known = names.length === 0 ? "This workflow takes no inputs." : `Its inputs are ${names.join(", ")}.`;
  return new TroupeError("USER.INPUT.UNKNOWN", `there is no input ${JSON.stringify(name)}.${question} ${known}`);
}
