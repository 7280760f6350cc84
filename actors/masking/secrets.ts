/**
 * Which values are secret.
 *
 * I1. A name decides (`isSecretName`); its value counts only if it is long and rare enough to be looked for in any
 *     text: what is shorter than MIN_SECRET, a common word or an existing path would blacken what is no secret.
 */
import { existsSync } from "node:fs";
import { isSecretName } from "../../machines/secret-name.ts";

/** The shortest text that is looked for, in UTF-16 units. */
export const MIN_SECRET = 6;

const COMMON =
  /^(?:true|false|null|none|undefined|default|enabled?|disabled?|required|optional|always|never|public|private|secret|password|token|string|number|boolean|basic|bearer|localhost|development|production|staging|testing|example|anonymous|password123?|changeme)$/i;

/** `isPath`: whether a text that looks like a path is one. */
export function isWorthHiding(value: string, isPath: (text: string) => boolean = existsSync): boolean {
  if (value.trim().length < MIN_SECRET || COMMON.test(value.trim())) return false;
  return !(/^(?:~|\.{0,2})\//.test(value) && isPath(value));
}

/** The secrets of an environment: `env/<name>` → value. */
export function secretsOf(
  environment: { readonly [name: string]: string | undefined },
  isPath?: (text: string) => boolean,
): [name: string, value: string][] {
  return Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value !== undefined && isSecretName(name) && isWorthHiding(value, isPath) ? [[`env/${name}`, value]] : [],
  );
}
