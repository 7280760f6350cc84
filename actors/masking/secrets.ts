/**
 * Which values are secret, and how they are looked for.
 *
 * I1. A name decides (`isSecretName`); its value is looked for in any text if it is long and rare enough: what is shorter
 *     than MIN_SECRET is looked for as a word alone, and a common word or an existing path would blacken what is no secret.
 * I2. Whatever its name, of an address or a line of settings the password or key in it is secret: `DATABASE_URL`.
 */

import { existsSync } from "node:fs";
import { secretsWithin } from "../../machines/secret-arguments.ts";
import { hasSecretPrefix, isSecretName, MIN_SECRET } from "../../machines/secret-name.ts";
import type { Environment } from "../base/user-folders.ts";

const COMMON =
  /^(?:[01]|yes|no|on|off|true|false|null|none|undefined|default|enabled?|disabled?|required|optional|always|never|public|private|secret|password|token|string|number|boolean|basic|bearer|localhost|development|production|staging|testing|example|anonymous|password123?|changeme)$/i;

/** `anywhere` in a text, as a `word` of it, or only where it stands alone under its name. */
export type Sought = "anywhere" | "word" | "alone";

/** `isPath`: whether a text that looks like a path is one. */
export function soughtAs(value: string, isPath: (text: string) => boolean = existsSync): Sought {
  const bare = value.trim();
  if (bare === "" || COMMON.test(bare)) return "alone";
  if (/^(?:~|\.{0,2})\//.test(value) && isPath(value)) return "alone";
  return bare.length < MIN_SECRET ? "word" : "anywhere";
}

/** The secrets of an environment: `env/<name>` → value. Short ones only where the name leaves no doubt. */
export function secretsOf(
  environment: Environment,
  isPath?: (text: string) => boolean,
): [name: string, value: string][] {
  return Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    const within = secretsWithin(value).flatMap((one, index): [string, string][] =>
      soughtAs(one, isPath) === "anywhere" ? [[`env/${name}#within ${index + 1}`, one]] : [],
    );
    if (!isSecretName(name)) return within;
    const sought = soughtAs(value, isPath);
    return sought === "anywhere" || (sought === "word" && hasSecretPrefix(name))
      ? [[`env/${name}`, value], ...within]
      : within;
  });
}
