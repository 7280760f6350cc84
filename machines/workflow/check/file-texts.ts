/** Script and prompt files are templates too: what they read is checked as what stands in the workflow is. */
import type { Node, Workflow } from "../document.ts";
import type { Finding } from "../finding.ts";
import { Report } from "../report.ts";
import { parseTemplate } from "../template/parse.ts";
import { templateReferences } from "../template/references.ts";
import { readYaml } from "../yaml/read.ts";
import { MAX_CHECKED_LENGTH } from "./code.ts";
import { enter, type Flow, flowOf } from "./flow.ts";
import { NameChecker } from "./name-checker.ts";
import { placeOf } from "./place.ts";
import { looped } from "./texts.ts";

type NamedFile = { field: "script_file" | "prompt_file"; file: string };

function fileOf(node: Node): NamedFile | null {
  if (node.type === "command" && "scriptFile" in node.run) return { field: "script_file", file: node.run.scriptFile };
  return node.type === "agent" && "file" in node.prompt ? { field: "prompt_file", file: node.prompt.file } : null;
}

/** What is wrong with the text of a file that this state names, each where it stands in the file. */
function faultsOf(text: string, state: string, { workflow, flow }: { workflow: Workflow; flow: Flow }): Finding[] {
  const report = new Report(text, false);
  const parsed = parseTemplate(text);
  if (!parsed.ok) {
    for (const { message, range } of parsed.faults)
      report.add({ code: "WORKFLOW.VALIDATION.BAD_TEMPLATE", message, path: [], on: range, loads: true });
    return report.findings();
  }
  const names = new NameChecker(workflow, flow, report);
  const loop = looped(workflow).has(state);
  for (const reference of templateReferences(parsed.template)) {
    const where = { kind: "template", path: [], state, moment: enter(state), loop, error: false } as const;
    names.check(reference, { ...where, rangeOf: (range) => range });
  }
  return report.findings();
}

/** Findings at `script_file` and `prompt_file`. `read` is that of `checkScripts`. */
export function checkFileTexts(workflow: Workflow, source: string, read: (path: string) => string | null): Finding[] {
  const report = new Report(source, workflow.awf === true);
  let flow: Flow | null = null;
  for (const node of Object.values(workflow.states)) {
    const named = fileOf(node);
    if (named === null) continue;
    const text = read(named.file);
    if (text === null || !text.includes("{{") || text.length > MAX_CHECKED_LENGTH) continue;
    flow ??= flowOf(workflow, new Map());
    for (const { code, message, expected, suggestion, line, column } of faultsOf(text, node.name, { workflow, flow })) {
      if (report.root.entries === undefined) report.root = readYaml(source).root ?? report.root;
      const { path } = placeOf(report.root, workflow, node.name, [named.field]);
      const said = `${named.file}:${line}:${column}: ${message}`;
      report.add({ code, message: said, expected, suggestion, path, loads: true });
    }
  }
  return report.findings();
}
