/**
 * What a workflow may say in `options:` of a `claude` step.
 *
 * I1. A name that is not in the table, and a value of the wrong form, is refused with the field's name.
 * I2. null stands for an option that is not given.
 */
import type { Json } from "../../../machines/model.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { isFields } from "../json.ts";

type Form =
  | { type: "text" }
  | { type: "choice"; of: readonly string[] }
  | { type: "flag" }
  | { type: "number"; whole: boolean }
  /** A list of texts, or one text that is passed on as it stands. */
  | { type: "list" }
  | { type: "map" };

const TEXT: Form = { type: "text" };
const LIST: Form = { type: "list" };
const FLAG: Form = { type: "flag" };
const choice = (...of: string[]): Form => ({ type: "choice", of });

export const OPTIONS = {
  model: TEXT,
  fallback_model: TEXT,
  effort: choice("low", "medium", "high", "xhigh", "max"),
  permission_mode: choice("default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"),
  dangerously_skip_permissions: FLAG,
  tools: LIST,
  allowed_tools: LIST,
  disallowed_tools: LIST,
  add_dirs: LIST,
  mcp_servers: { type: "map" },
  strict_mcp_config: FLAG,
  system_prompt_mode: choice("append", "replace"),
  setting_sources: LIST,
  max_turns: { type: "number", whole: true },
  max_budget_usd: { type: "number", whole: false },
  env: { type: "map" },
} as const satisfies { [name: string]: Form };

export type OptionName = keyof typeof OPTIONS;
export type Options = { readonly [name in OptionName]?: Json };

const isOption = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name);

/** The options that are given. Throws a `TroupeError` for the first that is wrong. */
export function checkedOptions(given: { readonly [name: string]: Json }): Options {
  const options: { [name in OptionName]?: Json } = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isOption(name)) throw unknown(name);
    if (value === null) continue;
    const expected = misfit(OPTIONS[name], value);
    if (expected !== null) {
      throw new TroupeError("USER.AGENT.INVALID_OPTION", `options.${name}: expected ${expected}`, { option: name });
    }
    options[name] = value;
  }
  return options;
}

function unknown(name: string): TroupeError {
  const known = Object.keys(OPTIONS);
  const meant = suggest(name, known);
  const question = meant === null ? "." : `; did you mean "${meant}"?`;
  const message = `options.${name}: claude has no such option${question} Known: ${known.join(", ")}`;
  return new TroupeError("USER.AGENT.INVALID_OPTION", message, { option: name });
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
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      const fits = typeof number === "number" && Number.isFinite(number) && number > 0;
      if (fits && (!form.whole || Number.isInteger(number))) return null;
      return form.whole ? "a whole number above 0" : "a number above 0";
    }
    case "list":
      return isText(value) || (Array.isArray(value) && value.every(isText)) ? null : "a list of texts";
    case "map":
      return isFields(value) ? null : "a map";
    default:
      return form satisfies never;
  }
}
