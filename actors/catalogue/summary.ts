/**
 * What a list shows of one workflow.
 *
 * I1. A summary stays small, whatever its file holds: an editor gets those of a directory all at once.
 */
import { relative } from "node:path";
import type { Fault } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import type { Input } from "../../machines/workflow/document.ts";
import { type Finding, hintsOf } from "../../machines/workflow/finding.ts";
import type { WorkflowHead } from "../../machines/workflow/head.ts";
import type { WorkflowSummary } from "../api/records.ts";
import type { FoundWorkflow } from "./discover.ts";
import type { ParsedFile } from "./parsed-files.ts";

/** Characters of a name or a version, and of the JSON of all inputs. */
const LONGEST_NAME = 128;
const LONGEST_INPUTS = 16 * 1024;

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** `file:line:column: message`, with what was meant or expected; the file as seen from `cwd` where it is below it. */
export function placed(finding: Finding, file: string, cwd: string): string {
  const path = relative(cwd, file);
  const where = `${path.startsWith("..") ? file : path}:${finding.line}:${finding.column}: ${finding.message}`;
  const hint = hintsOf(finding).at(-1);
  if (hint === undefined) return where;
  return hint.startsWith("expected ") ? `${where}: ${hint}` : `${where}; ${hint}`;
}

export const errorsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter((each) => each.severity === "error");

export const notOne = ({ file }: FoundWorkflow): string => `${file} is not a workflow`;

/** The first error of a file, and how many more there are; null where it can be run. */
export function faultOf(
  { findings }: Pick<ParsedFile, "findings">,
  { file }: FoundWorkflow,
  cwd: string,
): Fault | null {
  const [first, ...rest] = errorsOf(findings);
  if (first === undefined) return null;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return { code: first.code, message: `${placed(first, file, cwd)}${more}` };
}

/** What is known by the name alone. */
export function emptySummary({ id, origin, file, fault }: FoundWorkflow): WorkflowSummary {
  const name = id.slice(id.indexOf("/") + 1);
  return { id, name, description: "", version: null, source: origin, file, inputs: [], fault };
}

/** A file whose reader did not come to its end. */
export const tooMuch = (found: FoundWorkflow): WorkflowSummary => ({
  ...emptySummary(found),
  fault: { code: "WORKFLOW.PARSE.LIMIT_EXCEEDED", message: `${found.file} takes too much time or memory to be read` },
});

/** What a parsed file adds to its summary. `description`: the most characters of one. */
export function wholeSummary(
  parsed: ParsedFile,
  found: FoundWorkflow,
  cwd: string,
  description: number,
): Partial<WorkflowSummary> {
  const { workflow } = parsed;
  const fault = faultOf(parsed, found, cwd);
  if (workflow === null) return { fault: fault ?? { code: "WORKFLOW.VALIDATION.FAILED", message: notOne(found) } };
  return { ...shownOf(workflow, description), fault };
}

export const shownOf = (
  { name, description = "", version, inputs, outputs, mcp }: WorkflowHead,
  longest: number,
): Partial<WorkflowSummary> => ({
  ...(name === "" ? {} : { name: cut(name, LONGEST_NAME) }),
  description: cut(description, longest),
  version: version === undefined ? null : cut(version, LONGEST_NAME),
  // A listing is read by everybody.
  inputs: shortInputs(
    inputs.map((input) =>
      input.default !== undefined && isSecretName(input.name) ? { ...input, default: "***" } : input,
    ),
    longest,
  ),
  ...shortOutputs(Object.keys(outputs)),
  ...(mcp === undefined ? {} : { mcp }),
});

const shortOutputs = (names: string[]): Pick<WorkflowSummary, "outputs"> =>
  names.length === 0 || JSON.stringify(names).length > LONGEST_INPUTS ? {} : { outputs: names };

/** Inputs as they are where that is little; else without what is long, and none at all where that is not enough. */
function shortInputs(inputs: Input[], longest: number): Input[] {
  const isShort = (all: Input[]): boolean => JSON.stringify(all).length <= LONGEST_INPUTS;
  if (isShort(inputs)) return inputs;
  const named = inputs.map(({ name, type, required, description = "" }) => ({
    name: cut(name, LONGEST_NAME),
    type,
    required,
    ...(description === "" ? {} : { description: cut(description, longest) }),
    validation: {},
  }));
  if (isShort(named)) return named;
  const bare = named.map(({ description: _, ...input }) => input);
  return isShort(bare) ? bare : [];
}
