/**
 * Reads the schemas that stand in files beside the workflow into the document.
 *
 * I1. A document has its schemas whole: a file that is changed later changes no run that has begun.
 */
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";
import { readYaml } from "../yaml/read.ts";

/** `source`: the text of a file by its path, or null when there is none that may be read. */
export function readOutputSchemas(
  { states }: Workflow,
  report: Report,
  source: (path: string) => string | null = () => null,
): void {
  for (const node of Object.values(states)) {
    if ((node.type !== "agent" && node.type !== "command") || node.outputSchema?.file === undefined) continue;
    const { file } = node.outputSchema;
    const path = ["states", node.name, "output_schema"];
    const text = source(file);
    if (text === null) {
      const message = `output_schema: there is no file "${file}" beside the workflow`;
      const expected = "the path of a JSON or YAML file below the workflow's folder";
      report.add({ code: "USER.INPUT.MISSING_FILE", message, expected, path, loads: true });
      continue;
    }
    const { root, faults } = readYaml(text);
    const [fault] = faults;
    if (root?.entries !== undefined && fault === undefined) {
      node.outputSchema = { schema: root.value, file };
      continue;
    }
    const message = `output_schema: "${file}" holds no JSON Schema: ${fault?.message ?? "it is no map"}`;
    report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "a JSON Schema", path, loads: true });
  }
}
