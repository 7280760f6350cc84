/** The default of an input is a value that a run would take. Whether a file exists is not asked: the run's folder says. */
import type { Json } from "../../model.ts";
import { isSecretName } from "../../secret-name.ts";
import type { Input, Workflow } from "../document.ts";
import { isFile } from "../input/rules.ts";
import { resolveInputs } from "../inputs.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";
import { child } from "../yaml/located.ts";

const suggestion = ({ name, validation }: Input, given: Json, report: Report): string | null =>
  typeof given !== "string" || isSecretName(name) ? null : report.suggest(given, validation.enum ?? []);

/** Where an input stands: `inputs` is a list, or a map by name. */
function placeOf(name: string, report: Report): Path {
  const items = child(report.root, "inputs")?.items;
  const index = items?.findIndex((item) => child(item, "name")?.scalar?.text === name) ?? -1;
  return ["inputs", index === -1 ? name : index, "default"];
}

export function checkDefaults({ inputs }: Workflow, report: Report): void {
  for (const input of inputs) {
    const value = input.default ?? null;
    // Of a file "" is no way to say that there is none.
    if (value === null || (value === "" && !isFile(input.validation))) continue;
    const resolved = resolveInputs([input], {});
    if (resolved.ok) continue;
    for (const { code, message } of resolved.faults) {
      if (code !== "USER.INPUT.INVALID_FORMAT" && code !== "USER.INPUT.VALIDATION_FAILED") continue;
      report.add({
        code,
        message,
        suggestion: suggestion(input, value, report),
        path: placeOf(input.name, report),
        loads: true,
      });
    }
  }
}
