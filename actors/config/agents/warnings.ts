/**
 * Values in `agents.yaml` that look like secrets and are written out.
 *
 * I1. A warning names the place and the way out, never the value.
 */

import { looksSecret, secretArguments } from "../../../machines/secret-arguments.ts";
import { isPlainName, isSecretName } from "../../../machines/secret-name.ts";
import type { Report } from "../../../machines/workflow/report.ts";
import type { Path } from "../../../machines/workflow/texts.ts";
import { child, type Located } from "../../../machines/workflow/yaml/located.ts";
import type { AcpAgent } from "../settings.ts";

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

/** Arguments as they may be shown. */
export function shownArguments(args: readonly string[]): string[] {
  const secret = secretArguments(args);
  return args.map((arg, index) => secret.get(index)?.shown ?? arg);
}
