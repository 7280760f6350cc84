/**
 * The default of an input is a value that a run would take, and there is one: a range is of numbers, and not empty.
 * Whether a file exists is not asked: the run's folder says.
 */
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

/** Where a field of an input stands: `inputs` is a list, or a map by name. */
function placeOf(name: string, report: Report, ...field: Path): Path {
  const items = child(report.root, "inputs")?.items;
  const index = items?.findIndex((item) => child(item, "name")?.scalar?.text === name) ?? -1;
  return ["inputs", index === -1 ? name : index, ...field];
}

/** False where no value can be in its range. */
function checkRange({ name, type, validation: { min, max } }: Input, report: Report): boolean {
  const field = min === undefined ? "max" : "min";
  const path = placeOf(name, report, "validation", field);
  const isEmpty = min !== undefined && max !== undefined && min > max;
  const fault = { code: "WORKFLOW.PARSE.INVALID_FIELD", path, on: "key", loads: true } as const;
  if (type !== "integer" && (min ?? max) !== undefined) {
    const message = `"${field}" of input "${name}" bounds nothing: it is no integer`;
    report.add({ ...fault, message, expected: `type: integer, or no ${field}`, maybe: true });
  } else if (isEmpty) {
    const message = `input "${name}" can have no value: none is at least ${min} and at most ${max}`;
    report.add({ ...fault, message, expected: "a min that is not above max" });
  }
  return !isEmpty;
}

export function checkDefaults({ inputs }: Workflow, report: Report): void {
  for (const input of inputs) {
    if (!checkRange(input, report)) continue;
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
        path: placeOf(input.name, report, "default"),
        loads: true,
      });
    }
  }
}
