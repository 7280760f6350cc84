/**
 * The inputs of a dry run: what was given is checked as for a run; what is missing gets a value that stands for it.
 *
 * I1. A value that was given is never replaced by another, and a fault in it is reported as a run would.
 * I2. Of a secret only the mark that stands for it comes out, given or by default.
 */
import type { Json } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import type { Input, Workflow } from "../../machines/workflow/document.ts";
import { type InputFaultCode, resolveInputs } from "../../machines/workflow/inputs.ts";

const SHOWN = "***";

type GivenInputs = { readonly [name: string]: Json };
type StandInResult =
  /** `standIns`: the names of the inputs that were not given. */
  | { ok: true; inputs: { [name: string]: Json }; standIns: string[] }
  | { ok: false; code: InputFaultCode; message: string };

/** The inputs that a run would be born with, or everything that is wrong with them as one message. */
export function given(workflow: Workflow, asked: GivenInputs): StandInResult {
  const missing = workflow.inputs.filter((input) => isMissing(input, asked));
  const inputs = workflow.inputs.map((input) => (missing.includes(input) ? { ...input, required: false } : input));
  const resolved = resolveInputs(inputs, asked, { extras: isAwf(workflow.file) ? "keep" : "refuse" });
  if (!resolved.ok) {
    const [first] = resolved.faults;
    return {
      ok: false,
      code: first?.code ?? "USER.INPUT.MISSING",
      message: resolved.faults.map(({ message }) => message).join("\n"),
    };
  }
  return { ok: true, ...withStandIns(missing, resolved.inputs) };
}

/** The inputs of a workflow that another one calls: what the caller's templates come to is not checked. */
export function givenByCaller(
  workflow: Workflow,
  passed: GivenInputs,
): { inputs: { [name: string]: Json }; standIns: string[] } {
  const defaults = workflow.inputs.flatMap(({ name, default: value }): [string, Json][] =>
    value === undefined ? [] : [[name, value]],
  );
  const missing = workflow.inputs.filter((input) => isMissing(input, passed));
  return withStandIns(missing, { ...Object.fromEntries(defaults), ...passed });
}

const isMissing = ({ name, required, default: value }: Input, asked: GivenInputs): boolean =>
  required && (value ?? null) === null && !Object.hasOwn(asked, name);

function withStandIns(missing: readonly Input[], inputs: { [name: string]: Json }) {
  const added = missing.map((input): [string, Json] => [input.name, standIn(input)]);
  const shown = Object.entries(inputs).map(([name, value]): [string, Json] => [
    name,
    isSecretName(name) ? SHOWN : value,
  ]);
  return {
    inputs: { ...Object.fromEntries(shown), ...Object.fromEntries(added) },
    standIns: missing.map(({ name }) => name),
  };
}

function standIn({ name, type, validation }: Input): Json {
  const [first] = validation.enum ?? [];
  switch (type) {
    case "string":
      return first ?? `<${name}>`;
    case "integer":
      return first === undefined ? (validation.min ?? Math.min(1, validation.max ?? 1)) : Number(first);
    case "boolean":
      return first === "true";
    default:
      return type satisfies never;
  }
}

/** In AWF's places inputs that are not declared are accepted, as AWF does. */
export const isAwf = (file: string | null): boolean => /(^|[\\/])\.?awf[\\/]/.test(file ?? "");
