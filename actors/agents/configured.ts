/**
 * The environment variables that a workflow sets for an agent: `options.env`.
 *
 * I1. A workflow may be a stranger's: variables that make a program load or run other code are refused, and so are
 *     Troupe's own.
 */
import { type Json, own } from "../../machines/model.ts";
import { isFields } from "../base/json.ts";
import { TroupeError } from "../errors/troupe-error.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const REFUSED: ReadonlySet<string> = new Set(["PATH", "NODE_OPTIONS", "BASH_ENV", "ENV", "PROMPT_COMMAND", "IFS"]);
const REFUSED_PREFIXES = ["LD_", "DYLD_", "GIT_", "PYTHON", "TROUPE_"];

/** The variables of `options.env`; `field` is how messages call them. Throws a `TroupeError` that names the field. */
export function configuredEnvironment(
  options: { readonly [name: string]: Json },
  field = "options.env",
): { [name: string]: string } {
  const env = own(options, "env") ?? {};
  if (!isFields(env)) throw invalid(`${field}: expected a map of names and values`);
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [checked(name, field), textOf(name, value, field)]),
  );
}

function checked(name: string, field: string): string {
  if (!NAME.test(name)) throw invalid(`${field}: "${name}" is no name of a variable`);
  if (REFUSED.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix))) {
    throw invalid(`${field}.${name}: a workflow may not set this variable; set it where Troupe is started`);
  }
  return name;
}

function textOf(name: string, value: Json, field: string): string {
  if (typeof value === "string" && !value.includes("\0")) return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalid(`${field}.${name}: expected a text, a number or a boolean`);
}

const invalid = (message: string) => new TroupeError("USER.AGENT.INVALID_OPTION", message);
