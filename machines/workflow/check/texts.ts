/** Every template and expression can be read, and names only what can be there when it is read. */
import { own } from "../../model.ts";
import { within } from "../below.ts";
import type { Workflow } from "../document.ts";
import { parseExpression } from "../expression/parse.ts";
import { references } from "../expression/references.ts";
import { type TypeOfInput, type Untrue, untrueParts } from "../expression/truth.ts";
import type { Range } from "../finding.ts";
import type { Report } from "../report.ts";
import { parseTemplate } from "../template/parse.ts";
import { templateReferences } from "../template/references.ts";
import { isDenied, namedInputs, unsetInputs } from "../template/shell-inputs.ts";
import { nodeTexts, type Text, workflowTexts } from "../texts.ts";
import { locate } from "../yaml/located.ts";
import { scalarOffsets } from "../yaml/scalar.ts";
import { codeFaults } from "./code.ts";
import { enter, exit, type Flow } from "./flow.ts";
import { githubForms } from "./github-forms.ts";
import { NameChecker, type NameReference } from "./name-checker.ts";
import { meantRoot } from "./names.ts";
import { placeOf } from "./place.ts";

type TextFault = { message: string; range: Range; suggestion?: string; foreign?: true };
type CheckedText = { faults: readonly TextFault[]; references: readonly NameReference[]; untrue?: readonly Untrue[] };

/** The text with every action that has a fault blanked out: the others are still checked. */
function blanked(text: string, faults: readonly TextFault[]): string {
  return faults.reduce((left, { range }) => {
    const start = left.lastIndexOf("{{", range.start);
    const close = left.indexOf("}}", range.start);
    if (start < 0) return left;
    const end = close < 0 ? left.length : close + 2;
    return left.slice(0, start) + " ".repeat(end - start) + left.slice(end);
  }, text);
}

function readTemplate(text: string): CheckedText {
  if (!text.includes("{{")) return { faults: [], references: [] };
  const parsed = parseTemplate(text);
  if (parsed.ok) return { faults: [], references: templateReferences(parsed.template) };
  const rest = parseTemplate(blanked(text, parsed.faults));
  return { faults: parsed.faults, references: rest.ok ? templateReferences(rest.template) : [] };
}

function read({ kind, text, path }: Text, typeOf: TypeOfInput): CheckedText {
  if (kind === "template") return readTemplate(text);
  const parsed = parseExpression(text);
  if (!parsed.ok) return { faults: parsed.faults, references: [] };
  const { expression } = parsed;
  const isCondition = path[0] !== "max_iterations";
  return { faults: [], references: references(expression), untrue: isCondition ? untrueParts(expression, typeOf) : [] };
}

/** What AWF reads of a loop when the loop needs it, though it wants a `while`; a blank condition when it is judged. */
const isLate = ({ path, text }: Text): boolean => (path[0] === "transitions" ? text.trim() === "" : text !== "");

/** The states below a loop: there `loop` is known. */
export function looped(workflow: Workflow): ReadonlySet<string> {
  const names = new Set<string>();
  const open: string[] = [];
  for (const node of Object.values(workflow.states)) {
    if (node.type === "for_each" || node.type === "while") open.push(...within(node));
  }
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = own(workflow.states, name);
    if (node === undefined || names.has(name)) continue;
    names.add(name);
    open.push(...within(node));
  }
  return names;
}

/** How a template is refused whose name is none. */
const UNKNOWN = "unknown function or name ";

export function checkTexts(workflow: Workflow, flow: Flow, report: Report): void {
  const names = new NameChecker(workflow, flow, report);
  const loops = looped(workflow);
  // A body that could not be read may have any state in it.
  const isLost = [...report.unsure].some((name) => locate(report.root, ["states", name, "body"]).exact);
  const types = new Map(workflow.inputs.map(({ name, type }) => [name, type]));
  const inputs = new Set(types.keys());

  const check = (text: Text, state: string | null, error: boolean): void => {
    const { path, located, shift } = placeOf(report.root, workflow, state, text.path);
    let offset: ((at: number) => number) | null = null;
    const rangeOf = (range: Range): Range => {
      if (located.scalar === undefined || located.scalar.style === "foreign") return located.range;
      offset ??= scalarOffsets(report.source, located);
      return { start: offset(range.start - shift), end: offset(range.end - shift) };
    };
    const result = read(text, (name) => types.get(name));
    const expression = text.kind === "expression";
    for (const { message, range, suggestion, foreign } of result.faults) {
      const code = expression ? "WORKFLOW.VALIDATION.BAD_EXPRESSION" : "WORKFLOW.VALIDATION.BAD_TEMPLATE";
      // AWF reads the condition of a transition when it loads the file, all else when it needs it.
      const on = report.isFull ? "value" : rangeOf(range);
      // In languages where an input is read by its name alone.
      const meant = meantRoot(text.text.slice(range.start, range.end), workflow.states, inputs);
      const named = !expression && message.startsWith(UNKNOWN) ? meant : null;
      report.add({
        code,
        message,
        suggestion: named ?? suggestion,
        path,
        on,
        loads: !expression || foreign === true || isLate(text),
      });
    }
    for (const { range, ...fault } of result.untrue ?? []) {
      report.add({ code: "WORKFLOW.VALIDATION.BAD_EXPRESSION", ...fault, path, on: rangeOf(range), loads: true });
    }
    for (const { message, expected, range, maybe } of text.reader === "shell" ? codeFaults(text.text, workflow) : []) {
      const code = "WORKFLOW.VALIDATION.VALUE_AS_CODE";
      report.add({ code, message, expected, path, on: rangeOf(range), loads: true, maybe });
    }
    // In a command that dollar is refused already.
    for (const { range, ...fault } of expression || text.reader === "shell" ? [] : githubForms(text.text)) {
      const code = "WORKFLOW.VALIDATION.BAD_TEMPLATE";
      report.add({ code, ...fault, path, on: rangeOf(range), loads: true, maybe: true });
    }
    const declared = text.reader === "shell" ? workflow.inputs.map(({ name }) => name) : [];
    if (!report.awf) {
      for (const name of unsetInputs(text.text, declared).filter((one) => !workflow.env.includes(one))) {
        const message = `$${name} is a variable of the shell, and no input: nothing sets it here`;
        const code = "WORKFLOW.VALIDATION.UNDEFINED_NAME";
        report.add({ code, message, expected: `{{.inputs.${name}}}`, path, loads: true, maybe: true });
      }
    } else {
      for (const name of namedInputs(text.text, declared).filter(isDenied)) {
        const message = `$${name} is no input: programs heed that name, so no input is passed under it`;
        const code = "WORKFLOW.VALIDATION.UNDEFINED_NAME";
        report.add({ code, message, expected: `{{.inputs.${name}}}`, path, loads: true });
      }
    }
    const loop =
      state !== null && (isLost || loops.has(state) || text.path[0] === "break_when" || text.path[0] === "while");
    const moment = state === null ? null : text.moment === "enter" ? enter(state) : exit(state);
    for (const reference of result.references) {
      names.check(reference, { kind: text.kind, path, state, moment, loop, error, rangeOf });
    }
  };

  for (const node of Object.values(workflow.states)) {
    for (const text of nodeTexts(node)) check(text, node.name, false);
  }
  for (const text of workflowTexts(workflow)) check(text, null, text.path[1] === "workflow_error");
}
