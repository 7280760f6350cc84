/**
 * The door of this folder: text in, a document and all its faults out. Pure: nothing is run, read or rendered (T6).
 *
 * I1. All faults of a file come at once, in file order, each with line and column.
 * I2. `workflow` is null exactly when a fault makes the document unusable: it cannot be read, or names what is not there.
 */
import { checkWorkflow, type Known } from "./check/workflow.ts";
import type { Workflow } from "./document.ts";
import type { Finding } from "./finding.ts";
import { FILE_LIMITS, type FileLimits } from "./limits.ts";
import { readOutputSchemas } from "./lower/output-schemas.ts";
import { lowerWorkflow } from "./lower/workflow.ts";
import { Report } from "./report.ts";
import { isTooLarge } from "./size.ts";
import { expandTemplates } from "./templates/expand.ts";
import { readYaml } from "./yaml/read.ts";

export type ParseOptions = {
  /** The file the text was read from, absolute; null for text in memory. */
  file: string | null;
  /** The file stands in one of AWF's places: what AWF loads is at most a warning. */
  awf: boolean;
  /** The text of a step template by name, or null when there is none. */
  templateSource?: (name: string) => string | null;
  /** The text of a file beside this one that holds a JSON Schema, or null when there is none that may be read. */
  schemaSource?: (path: string) => string | null;
  /** How much the file may hold, where that is not the default. */
  limits?: FileLimits;
} & Known;
/** `draft`: of an unusable document what could be read, so that all else that is wrong with it can be found too. */
export type Parsed = { workflow: Workflow | null; draft: Workflow | null; findings: Finding[] };

const UNUSABLE = /^WORKFLOW\.(PARSE\.|VALIDATION\.MISSING_STATE)/;

/** Parses and checks a workflow file. */
export function parseWorkflow(source: string, options: ParseOptions): Parsed {
  const limits = options.limits ?? FILE_LIMITS;
  const report = new Report(source, options.awf, limits.findings);
  const { root, faults } = readYaml(source, limits);
  for (const { range, ...fault } of faults) report.add({ loads: false, ...fault, path: [], on: range });
  if (root === null) return nothing(report);
  report.root = root;
  report.root = expandTemplates(root, report, options.templateSource, limits);
  if (isTooLarge(report, limits)) return nothing(report);
  const workflow = lowerWorkflow(report.root, options.file, report);
  if (workflow !== null) {
    readOutputSchemas(workflow, report, options.schemaSource);
    checkWorkflow(workflow, report, options);
  }
  const findings = report.findings();
  const unusable = findings.some((each) => each.severity === "error" && UNUSABLE.test(each.code));
  if (!unusable) return { workflow, draft: null, findings };
  // Where the text itself cannot be read, what follows from the rest is no finding of its own.
  return { workflow: null, draft: faults.length === 0 ? workflow : null, findings };
}

const nothing = (report: Report): Parsed => ({ workflow: null, draft: null, findings: report.findings() });
