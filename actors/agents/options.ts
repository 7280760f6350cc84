/**
 * What a workflow may say in `options:` of an agent step: each provider has a table of names and forms.
 *
 * I1. A name that is not in the table, and a value of the wrong form, is refused with the field's name.
 * I2. null stands for an option that is not given.
 */
import type { Json } from "../../machines/model.ts";
import { misfit, type OptionForm, type OptionTable } from "../../machines/workflow/option-table.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { TroupeError } from "../errors/troupe-error.ts";

export const TEXT: OptionForm = { type: "text" };
export const LIST: OptionForm = { type: "list" };
export const FLAG: OptionForm = { type: "flag" };
export const MAP: OptionForm = { type: "map" };
export const choice = (...of: string[]): OptionForm => ({ type: "choice", of });

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
    const expected = misfit(table[name] as OptionForm, value);
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
