/**
 * Values in `agents.yaml` that look like secrets and are written out.
 *
 * I1. A warning names the place and the way out, never the value.
 */

import { isPlainName, isSecretName } from "../../../machines/secret-name.ts";
import type { Report } from "../../../machines/workflow/report.ts";
import type { Path } from "../../../machines/workflow/texts.ts";
import { child, type Located } from "../../../machines/workflow/yaml/located.ts";
import type { AcpAgent } from "../settings.ts";

/** How keys of known services begin. */
const KEY =
  /^(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----)/;
/** Long, of one word, with letters of both cases and digits: what no person thinks up. */
const looksRandom = (value: string): boolean =>
  /^[A-Za-z0-9_+/=-]{24,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
const looksSecret = (value: string): boolean => KEY.test(value) || looksRandom(value);

export function literalWarnings({ args }: AcpAgent, at: Located | undefined, path: Path, report: Report): void {
  const warn = (what: string, instead: string, place: Path): void =>
    report.add({
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message: `${what} looks like a secret that is written out`,
      expected: instead,
      path: place,
      loads: false,
      maybe: true,
    });
  for (const [name, { value }] of child(at, "env")?.entries ?? []) {
    if (typeof value.value !== "string" || value.value === "") continue;
    if (isSecretName(name) || (!isPlainName(name) && looksSecret(value.value)))
      warn(`the value of ${name}`, `{from_env: ${name}}`, [...path, "env", name]);
  }
  for (const index of secretArguments(args).keys())
    warn("this argument", "a variable of env, by from_env", [...path, "args", index]);
}

/** Arguments that look like secrets, or hold one, and what is shown in their place. */
function secretArguments(args: readonly string[]): Map<number, string> {
  const found = new Map<number, string>();
  for (const [index, arg] of args.entries()) {
    const [, option, given] = /^(--?[^=]+)=(.+)$/s.exec(arg) ?? [];
    const before = args[index - 1] ?? "";
    const follows = given === undefined && /^--?[^=]+$/.test(before) && !arg.startsWith("-") && isSecretName(before);
    if (given !== undefined && (isSecretName(option ?? "") || looksSecret(given)))
      found.set(index, `${option}=[secret]`);
    else if (follows || (given === undefined && looksSecret(arg))) found.set(index, "[secret]");
  }
  return found;
}

/** Arguments as they may be shown. */
export function shownArguments(args: readonly string[]): string[] {
  const secret = secretArguments(args);
  return args.map((arg, index) => secret.get(index) ?? arg);
}
