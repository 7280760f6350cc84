/**
 * From what a caller gives to the inputs a run is born with.
 *
 * I1. Defaults are put in before anything is checked, so that a default is checked too.
 * I2. All faults come at once: first those of declared inputs in their order, then names that are not declared.
 * I3. A value of an input with a secret's name is never repeated in a message.
 */
import { type Json, own } from "../model.ts";
import { isPlainName } from "../repeated.ts";
import { isSecretName } from "../secret-name.ts";
import type { Input } from "./document.ts";
import { coerce } from "./input/coerce.ts";
import { brokenRules, type FileExists } from "./input/rules.ts";
import { suggest } from "./suggest.ts";

export type InputFaultCode =
  | "USER.INPUT.MISSING"
  | "USER.INPUT.MISSING_FILE"
  | "USER.INPUT.INVALID_FORMAT"
  | "USER.INPUT.VALIDATION_FAILED"
  | "USER.INPUT.UNKNOWN";
export type InputFault = { code: InputFaultCode; input: string; message: string };
export type InputValues = { readonly [name: string]: Json };
export type Resolved = { ok: true; inputs: { [name: string]: Json } } | { ok: false; faults: InputFault[] };
export type ResolveOptions = {
  /** What happens to names that are not declared: kept (as AWF does) or a fault. */
  extras?: "keep" | "refuse";
  /** Whether a file exists; without it `file_exists` is not checked. */
  fileExists?: FileExists;
};

const MAX_SHOWN = 80;
/** Never a name: a careless copy of the inputs would change the prototype. */
const FORBIDDEN = "__proto__";

function shown(name: string, value: Json): string {
  if (isSecretName(name)) return "***";
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

function missing(input: Input, what: string): InputFault {
  const about = input.description === undefined ? "" : ` (${input.description})`;
  return { code: "USER.INPUT.MISSING", input: input.name, message: `input "${input.name}"${about} ${what}` };
}

/** The value of one input, and what is wrong with it. `undefined`: nothing was given and nothing is needed. */
function resolveOne(input: Input, given: InputValues, options: ResolveOptions): { value?: Json; faults: InputFault[] } {
  const { name } = input;
  const passed = own(given, name) ?? null;
  const value = passed ?? input.default ?? null;
  if (value === null) return { faults: input.required ? [missing(input, "is required and was not given")] : [] };
  if (value === "" && input.required) return { faults: [missing(input, "is required and is empty")] };
  const from = passed === null ? `the default of input "${name}"` : `input "${name}"`;
  const say = (expected: string): string => `${from} is ${shown(name, value)}: expected ${expected}`;
  const coerced = coerce(value, input.type);
  if (!coerced.ok) {
    return { faults: [{ code: "USER.INPUT.INVALID_FORMAT", input: name, message: say(coerced.expected) }] };
  }
  const broken = brokenRules(input.validation, coerced.value, options.fileExists);
  const faults = broken.map(({ code, expected }): InputFault => ({ code, input: name, message: say(expected) }));
  return { value: coerced.value, faults };
}

/**
 * A name that is not declared, with the nearest one and all there are. Not repeated is what may be a secret: what is no
 * plain name, or the front of padded base64 (`c2VjcmV0==` is no name and value).
 */
export function unknownInput(name: string, inputs: readonly Input[], value: Json = null): InputFault {
  const names = inputs.map((each) => each.name);
  const near = suggest(name, names);
  const help = near === null ? "" : ` Did you mean "${near}"?`;
  const known = names.length === 0 ? "This workflow takes no inputs." : `Its inputs are ${names.join(", ")}.`;
  const mayShow = isPlainName(name) && value !== "" && value !== "=";
  const what = mayShow ? `there is no input "${name}"` : "what you gave is no input";
  return { code: "USER.INPUT.UNKNOWN", input: mayShow ? name : "", message: `${what}.${help} ${known}` };
}

/**
 * Puts defaults in, turns texts into what the inputs declare, and checks every value.
 * An optional input that nothing gives is left out. `null` counts as not given.
 */
export function resolveInputs(inputs: readonly Input[], given: InputValues, options: ResolveOptions = {}): Resolved {
  const resolved: [string, Json][] = [];
  const faults: InputFault[] = [];
  const declared = new Set<string>();
  for (const input of inputs) {
    declared.add(input.name);
    if (input.name === FORBIDDEN) continue;
    const one = resolveOne(input, given, options);
    faults.push(...one.faults);
    if (one.value !== undefined) resolved.push([input.name, one.value]);
  }
  for (const name of Object.keys(given)) {
    if (declared.has(name) && name !== FORBIDDEN) continue;
    if (options.extras === "refuse" || name === FORBIDDEN) faults.push(unknownInput(name, inputs, given[name]));
    else resolved.push([name, given[name] ?? null]);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, inputs: Object.fromEntries(resolved) };
}

const MAX_DEFAULT = 24;

/** `string`, `integer`, or the values that are allowed: `full|quick`. */
export const typeHint = (input: Input): string => input.validation.enum?.join("|") ?? input.type;

function hint(input: Input): string {
  const initial = input.default;
  const short = typeof initial === "object" || initial === undefined ? "" : String(initial);
  const isShown = short !== "" && short.length <= MAX_DEFAULT && !/\s/.test(short) && !isSecretName(input.name);
  return `${input.name}=${isShown ? short : `<${typeHint(input)}>`}`;
}

/** What an editor shows behind a command: `file=<string> [n=3]`. Required inputs stand first; "" without inputs. */
export function hintOf(inputs: readonly Input[]): string {
  const isNeeded = (input: Input): boolean => input.required && (input.default ?? null) === null;
  const needed = inputs.filter(isNeeded).map(hint);
  return [...needed, ...inputs.filter((input) => !isNeeded(input)).map((input) => `[${hint(input)}]`)].join(" ");
}
