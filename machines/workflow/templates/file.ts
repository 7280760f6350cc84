/** Checks a template file by itself, as `validate` does for those of a templates folder. */
import type { Json } from "../../model.ts";
import type { Finding } from "../finding.ts";
import { lowerStates } from "../lower/states.ts";
import { Report } from "../report.ts";
import { suggest } from "../suggest.ts";
import type { Path } from "../texts.ts";
import { child, type Entry, type Located } from "../yaml/located.ts";
import { readYaml } from "../yaml/read.ts";
import { scalarOffsets } from "../yaml/scalar.ts";
import { lowerTemplate, type StepTemplate } from "./read.ts";
import { placeholders, substitute, type Values } from "./substitute.ts";

/** Fills what has no default: it does for text, durations and numbers alike. */
const SAMPLE: Json = 1;

/** A copy whose scalars are filled and keep their places. */
function filled(at: Located, values: Values): Located {
  if (at.items !== undefined) {
    const items = at.items.map((item) => filled(item, values));
    return { ...at, value: items.map((item) => item.value), items };
  }
  if (at.entries !== undefined) {
    const entries = new Map<string, Entry>();
    for (const [name, entry] of at.entries) entries.set(name, { key: entry.key, value: filled(entry.value, values) });
    const value = Object.fromEntries([...entries].map(([name, entry]) => [name, entry.value.value]));
    return { ...at, value, entries };
  }
  const value = substitute(at.value, values);
  return at.scalar === undefined || value === at.value
    ? at
    : { ...at, value, scalar: { style: "foreign", text: String(value) } };
}

function checkPlaceholders(at: Located, path: Path, known: readonly string[], report: Report): void {
  at.items?.forEach((item, index) => void checkPlaceholders(item, [...path, index], known, report));
  for (const [name, entry] of at.entries ?? []) checkPlaceholders(entry.value, [...path, name], known, report);
  if (typeof at.value !== "string") return;
  for (const { name, range } of placeholders(at.value)) {
    if (known.includes(name)) continue;
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
}

/** Parses and checks a template file. */
export function parseTemplateFile(
  source: string,
  options: { awf: boolean },
): { template: StepTemplate | null; findings: Finding[] } {
  const report = new Report(source, options.awf);
  const { root, faults } = readYaml(source);
  for (const { range, ...fault } of faults) report.add({ ...fault, path: [], on: range, loads: false });
  if (root === null) return { template: null, findings: report.findings() };
  report.root = root;
  const template = lowerTemplate(root, report);
  const states = child(root, "states");
  if (template !== null && states !== undefined) {
    checkPlaceholders(
      states,
      ["states"],
      template.parameters.map((each) => each.name),
      report,
    );
    const values = new Map(template.parameters.map((each) => [each.name, each.default ?? SAMPLE]));
    lowerStates(filled(states, values), report);
  }
  const findings = report.findings();
  return { template: findings.some((each) => each.severity === "error") ? null : template, findings };
}
