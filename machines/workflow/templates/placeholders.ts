/** Every placeholder of a template names a parameter that the template declares. */
import type { Report } from "../report.ts";
import { suggest } from "../suggest.ts";
import type { Path } from "../texts.ts";
import type { Located } from "../yaml/located.ts";
import { scalarOffsets } from "../yaml/scalar.ts";
import { placeholders } from "./substitute.ts";

/** Reports those that do not, and returns their names. */
export function undeclared(at: Located, path: Path, known: readonly string[], report: Report): string[] {
  const below = [
    ...(at.items ?? []).flatMap((item, index) => undeclared(item, [...path, index], known, report)),
    ...[...(at.entries ?? [])].flatMap(([name, { value }]) => undeclared(value, [...path, name], known, report)),
  ];
  if (typeof at.value !== "string" || !at.value.includes("{{")) return below;
  const here = placeholders(at.value).filter(({ name }) => !known.includes(name));
  for (const { name, range } of here) {
    const offset = scalarOffsets(report.source, at);
    report.add({
      code: "WORKFLOW.VALIDATION.UNDEFINED_NAME",
      message: `parameter "${name}" is not declared`,
      expected: known.length === 0 ? `a parameter "${name}" in parameters` : `one of ${known.join(", ")}`,
      suggestion: suggest(name, known),
      path,
      on: { start: offset(range.start), end: offset(range.end) },
      loads: true,
    });
  }
  return [...below, ...here.map(({ name }) => name)];
}
