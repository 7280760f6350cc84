/**
 * Values of variables and headers as a user's file writes them: a text, or where it comes from.
 *
 * I1. `from_env` takes a variable of the user's environment when the file is read. The file itself is never changed for it.
 */
import type { Report } from "../../machines/workflow/report.ts";
import type { Path } from "../../machines/workflow/texts.ts";
import type { Environment } from "../base/user-folders.ts";

export type ConfigContext = { file: string; environment: Environment; report: Report };
type Value = string | number | boolean | { from_env: string | number | boolean };
export type Values = { readonly [name: string]: Value } | null | undefined;

/** Texts as they are, variables by their values; `lacking` hears of those that are not set. */
export function resolved(
  values: Values,
  path: Path,
  { environment, report }: ConfigContext,
  lacking: (name: string, variable: string) => void,
): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) => {
      if (name === "" || /[=\0]/.test(name)) {
        fault(report, `"${name}" is no name of a variable`, "a name without =", [...path, name], null, "key");
        return [];
      }
      if (typeof value !== "object") return [[name, String(value)]];
      const variable = String(value.from_env);
      const found = environment[variable];
      if (found !== undefined) return [[name, found]];
      lacking(name, variable);
      return [];
    }),
  );
}

export function fault(
  report: Report,
  message: string,
  expected: string,
  path: Path,
  suggestion: string | null = null,
  on: "value" | "key" = "value",
): void {
  report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected, suggestion, path, on, loads: false });
}
