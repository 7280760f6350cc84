/** A report over a source, and faults for it. */
import { Report, type ReportedFault } from "../../../machines/workflow/report.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";

/** A report over a source that has been read. */
export function over(source: string, awf = false, most?: number): Report {
  const report = new Report(source, awf, most);
  const { root } = readYaml(source);
  if (root === null) throw new Error("not read");
  report.root = root;
  return report;
}
export const fault = (rest: Partial<ReportedFault> = {}): ReportedFault => ({
  code: "WORKFLOW.PARSE.INVALID_FIELD",
  message: "no",
  path: [],
  loads: false,
  ...rest,
});
