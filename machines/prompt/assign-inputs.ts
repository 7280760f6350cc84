/**
 * What a command gives to the inputs of its workflow.
 *
 * I1. A name that is not declared is a fault, never dropped and never passed on (T8).
 * I2. Free text goes to the only required text input that has no value yet, else to the only text input; where that
 *     is not one, it is a fault that names the choices.
 */
import type { Input } from "../workflow/document.ts";
import { unknownInput } from "../workflow/inputs.ts";
import type { Argument, Command } from "./slash-command.ts";

export type AssignFault = { code: string; message: string; input?: string };
export type Assigned = { ok: true; given: { [name: string]: string } } | { ok: false; faults: AssignFault[] };

const isPair = (argument: Argument): argument is { name: string; value: string } => "name" in argument;

/** The one input that free text means, or why there is none. */
function textTarget(inputs: readonly Input[], taken: ReadonlySet<string>): Input | AssignFault {
  const open = inputs.filter((input) => input.type === "string" && !taken.has(input.name));
  const required = open.filter((input) => input.required);
  const candidates = required.length > 0 ? required : open;
  const [only, second] = candidates;
  if (only !== undefined && second === undefined) return only;
  const code = "USER.INPUT.INVALID_FORMAT";
  if (only !== undefined) {
    const names = candidates.map((input) => input.name).join(", ");
    return { code, message: `the text could be any of the inputs ${names}: write ${only.name}="…"` };
  }
  const known =
    inputs.length === 0 ? "it takes no inputs" : `its inputs are ${inputs.map(({ name }) => name).join(", ")}`;
  return { code, message: `the workflow has no input for free text: ${known}` };
}

/** Assigns a command's arguments to declared inputs. Values stay text; `resolveInputs` turns and checks them. */
export function assignInputs(command: Command, inputs: readonly Input[]): Assigned {
  const pairs = command.arguments.filter(isPair);
  const texts = command.arguments.flatMap((argument) => (isPair(argument) ? [] : [argument.text]));
  const faults: AssignFault[] = [];
  for (const { name, value } of pairs) {
    if (!inputs.some((input) => input.name === name)) faults.push(unknownInput(name, inputs, value));
  }
  const given: [string, string][] = pairs.map(({ name, value }) => [name, value]);
  if (texts.length > 0) {
    const target = textTarget(inputs, new Set(pairs.map(({ name }) => name)));
    if ("code" in target) faults.push(target);
    else given.push([target.name, texts.join(" ")]);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, given: Object.fromEntries(given) };
}
