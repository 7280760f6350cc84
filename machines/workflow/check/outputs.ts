/** What the workflow gives back: a path that stands where a template is meant would be given back as its letters. */
import type { Workflow } from "../document.ts";
import type { Report } from "../report.ts";

const PATH = /^\.?(?:states|inputs|env|workflow|context|awf)\.[\w.-]+$/;

export function checkOutputs({ outputs }: Workflow, report: Report): void {
  for (const [name, text] of Object.entries(outputs)) {
    if (!PATH.test(text)) continue;
    report.add({
      code: "WORKFLOW.VALIDATION.BAD_TEMPLATE",
      message: `output "${name}" is the text "${text}" itself, not what it names`,
      expected: "a template",
      suggestion: `{{.${text.replace(/^\./, "")}}}`,
      path: ["outputs", name],
      loads: true,
    });
  }
}
