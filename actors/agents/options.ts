/**
 * What a workflow may say in `options:` of an agent step: each provider has a table of names and forms.
 *
 * I1. A name that is not in the table, and a value of the wrong form, is refused with the field's name.
 * I2. null stands for an option that is not given.
 */
import type { Json } from "../../machines/model.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { isFields } from "../base/json.ts";
import { TroupeError } from "../errors/troupe-error.ts";

type Form =
  | { type: "text" }
  | { type: "choice"; of: readonly string[] }
  | { type: "flag" }
  | { type: "number"; whole: boolean; from?: number; to?: number }
  /** A list of texts, or one text that is passed on as it stands. */
  | { type: "list" }
  | { type: "map" };

export const TEXT: Form = { type: "text" };
export const LIST: Form = { type: "list" };
export const FLAG: Form = { type: "flag" };
export const MAP: Form = { type: "map" };
export const choice = (...of: string[]): Form => ({ type: "choice", of });

export type OptionTable = { readonly [name: string]: Form };
export type OptionsOf<T extends OptionTable> = { readonly [name in keyof T]?: Json };

/** The options that are given. Throws a `TroupeError` for the first that is wrong. */
export function checkedOptions<T extends OptionTable>(
  provider: string,
  table: T,
  given: { readonly [name: string]: Json },
): OptionsOf<T> {
  const options: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isOption(table, name)) throw unknown(provider, name, Object.keys(table));
    if (value === null) continue;
    const expected = misfit(table[name] as Form, value);
    if (expected !== null) throw wrongOption(name, `expected ${expected}`);
    options[name] = value;
  }
  return options as OptionsOf<T>;
}

/** The fault of an option; `what` says what is wrong and what to do. */
export const wrongOption = (name: string, what: string): TroupeError =>
  new TroupeError("USER.AGENT.INVALID_OPTION", `options.${name}: ${what}`, { option: name });

/** True for a flag that is set; a template makes it a text. */
export const isOn = (value: Json | undefined): boolean => value === true || value === "true";
/** The texts of a list option; a single text is parted at its commas. */
export function textsOf(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const all = Array.isArray(value) ? value.map(String) : String(value).split(",");
  return all.map((one) => one.trim()).filter((one) => one !== "");
}

const isOption = <T extends OptionTable>(table: T, name: string): name is keyof T & string =>
  Object.hasOwn(table, name);

function unknown(provider: string, name: string, known: readonly string[]): TroupeError {
  const meant = suggest(name, known);
  const question = meant === null ? "." : `; did you mean "${meant}"?`;
  return wrongOption(name, `${provider} has no such option${question} Known: ${known.join(", ")}`);
}

const isText = (value: Json): boolean => typeof value === "string" && !value.includes("\0");

/** What was expected, or null if the value fits. */
function misfit(form: Form, value: Json): string | null {
  switch (form.type) {
    case "text":
      return isText(value) && value !== "" ? null : "a text";
    case "choice":
      return typeof value === "string" && form.of.includes(value) ? null : `one of ${form.of.join(", ")}`;
    case "flag":
      return typeof value === "boolean" || value === "true" || value === "false" ? null : "true or false";
    case "number":
      return misfitNumber(form, value);
    case "list":
      return isText(value) || (Array.isArray(value) && value.every(isText)) ? null : "a list of texts";
    case "map":
      return isFields(value) ? null : "a map";
    default:
      return form satisfies never;
  }
}

function misfitNumber({ whole, from, to }: Extract<Form, { type: "number" }>, value: Json): string | null {
  const number = typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : NaN;
  const isNumber = Number.isFinite(number) && (!whole || Number.isInteger(number));
  if (isNumber && (from === undefined ? number > 0 : number >= from) && number <= (to ?? Infinity)) return null;
  const kind = whole ? "a whole number" : "a number";
  if (from === undefined) return `${kind} above 0`;
  return to === undefined ? `${kind} from ${from} up` : `${kind} from ${from} to ${to}`;
}
