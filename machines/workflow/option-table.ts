/**
 * What `options:` of an agent step may say: names with the form of their values. The tables themselves stand with the
 * providers; this is what a check, a run and the JSON Schema read them by.
 *
 * I1. A table is plain data.
 */
import type { Json } from "../model.ts";

export type OptionForm =
  | { type: "text" }
  | { type: "choice"; of: readonly string[] }
  | { type: "flag" }
  | { type: "number"; whole: boolean; from?: number; to?: number }
  /** A list of texts, or one text that is passed on as it stands. */
  | { type: "list" }
  | { type: "map" };
export type OptionTable = { readonly [name: string]: OptionForm };
/** By the name of the provider. */
export type OptionTables = { readonly [provider: string]: OptionTable };

const isText = (value: Json): boolean => typeof value === "string" && !value.includes("\0");
const isMap = (value: Json): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** What was expected, in words that complete "must be …", or null where the value fits. */
export function misfit(form: OptionForm, value: Json): string | null {
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
      return isMap(value) ? null : "a map";
    default:
      return form satisfies never;
  }
}

function misfitNumber({ whole, from, to }: Extract<OptionForm, { type: "number" }>, value: Json): string | null {
  const number = typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : NaN;
  const isNumber = Number.isFinite(number) && (!whole || Number.isInteger(number));
  if (isNumber && (from === undefined ? number > 0 : number >= from) && number <= (to ?? Infinity)) return null;
  const kind = whole ? "a whole number" : "a number";
  if (from === undefined) return `${kind} above 0`;
  return to === undefined ? `${kind} from ${from} up` : `${kind} from ${from} to ${to}`;
}

/** A value that a template makes is known when it is rendered. */
export const isRendered = (value: Json): boolean => {
  if (typeof value === "string") return value.includes("{{");
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(isRendered);
};
