/** The inputs of a file, and what is said of them. */
import type { Input } from "../../../machines/workflow/document.ts";
import { lowerInputs } from "../../../machines/workflow/lower/inputs.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { child } from "../../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";

/** The inputs of a file, what is found, and whether an input was lost. */
export function declared(inputs: string, awf = false) {
  const source = `inputs: ${inputs}`;
  const report = new Report(source, awf);
  const { root } = readYaml(source);
  if (root === null) throw new Error("not read");
  report.root = root;
  const read = lowerInputs(child(root, "inputs"), report);
  return { inputs: read, found: told(report), lost: report.lostInput };
}
export const told = (report: Report) =>
  report.findings().map(({ code, severity, message, expected, suggestion, path }) => ({
    code: code.replace("WORKFLOW.", ""),
    severity,
    message,
    path,
    ...(expected === undefined ? {} : { expected }),
    ...(suggestion === undefined ? {} : { suggestion }),
  }));
export const plain = (name: string, rest: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: false,
  validation: {},
  ...rest,
});
