/**
 * Values in the script files that a workflow names: where one would be refused when the script runs, or only a plain
 * one taken, is reported beforehand.
 *
 * I1. `raw`, numbers and inputs of plain words are left alone.
 */
import type { Workflow } from "../document.ts";
import type { Finding } from "../finding.ts";
import { Report } from "../report.ts";
import type { ActionNode } from "../template/ast.ts";
import { scanScript, unreadOf, WAY_OUT } from "../template/literal-script.ts";
import { languageOf } from "../template/script-language.ts";
import { readYaml } from "../yaml/read.ts";
import { type CodeFault, codeFaults, isKnownPlain, MAX_CHECKED_LENGTH, waysOf } from "./code.ts";
import { placeOf } from "./place.ts";

/** What is wrong with the places of values in a script file. */
export function scriptFaults(source: string, workflow: Workflow): CodeFault[] {
  if (!source.includes("{{") || source.length > MAX_CHECKED_LENGTH) return [];
  const language = languageOf(source);
  if (language === "shell") return codeFaults(source, workflow);
  const fault = (node: ActionNode, message: string, maybe: boolean): CodeFault[] =>
    isKnownPlain(node, workflow) ? [] : [{ message, expected: WAY_OUT, range: node.range, maybe }];
  return waysOf(source).ways.flatMap(({ text, actions }) => {
    const [first] = actions;
    if (first === undefined) return [];
    if (language === "other")
      return actions.flatMap((node) => fault(node, "a run takes a plain word here, and refuses any other", true));
    const scanned = scanScript(text, language);
    if (scanned.type === "unread") {
      return [{ message: unreadOf(text, scanned), expected: WAY_OUT, range: first.range, maybe: false }];
    }
    return actions.flatMap((node, index) => {
      const place = scanned.places[index];
      if (place === undefined || (place.type === "literal" && !place.literal.raw)) return [];
      if (place.type === "literal")
        return fault(node, "this string is raw: a run refuses a value with a quote or a backslash here", true);
      return fault(node, `a run takes a number, true or false here, and refuses all else, because ${place.why}`, false);
    });
  });
}

/**
 * Findings at `script_file`. `read` gives the text of a file by its path as it is written, null where only the run knows
 * the path, or it cannot be read: that is not reported here.
 */
export function checkScripts(workflow: Workflow, source: string, read: (path: string) => string | null): Finding[] {
  const report = new Report(source, workflow.awf === true);
  let root: typeof report.root | null = null;
  for (const node of Object.values(workflow.states)) {
    if (node.type !== "command" || !("scriptFile" in node.run)) continue;
    const file = node.run.scriptFile;
    const text = read(file);
    if (text === null) continue;
    for (const { message, expected, range, maybe } of scriptFaults(text, workflow)) {
      root ??= readYaml(source).root ?? report.root;
      report.root = root;
      const before = text.slice(0, range.start).split("\n");
      const at = `${file}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
      const { path } = placeOf(report.root, workflow, node.name, ["script_file"]);
      report.add({
        code: "WORKFLOW.VALIDATION.VALUE_AS_CODE",
        message: `${at}: ${message}`,
        expected,
        path,
        on: "value",
        loads: true,
        maybe,
      });
    }
  }
  return report.findings();
}
