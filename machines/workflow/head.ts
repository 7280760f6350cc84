/**
 * What a list of workflows shows, read without the states: most of a file's text, and of the time to read it.
 *
 * I1. A head is what `parseWorkflow` would give for the same fields; where that is not sure, there is none.
 * I2. What stands on one line and can mean one thing only is read without the YAML library; only `inputs` needs it.
 */
import type { Input, Workflow } from "./document.ts";
import { FILE_LIMITS } from "./limits.ts";
import { textAt } from "./lower/common.ts";
import { lowerInputs } from "./lower/inputs.ts";
import { mcpOf, outputsOf } from "./lower/workflow.ts";
import { Report } from "./report.ts";
import { isTooLarge } from "./size.ts";
import { child } from "./yaml/located.ts";
import { readYaml } from "./yaml/read.ts";

export type WorkflowHead = Pick<Workflow, "name" | "description" | "version" | "author" | "inputs" | "outputs" | "mcp">;

/** A field that stands at the left edge with a block below it: up to the next line at the left edge. */
const BLOCK = /^(?:states|hooks):[ \t]*(?:#.*)?\r?\n(?:(?:[ \t#].*)?(?:\r?\n|$))*/gm;
/** An anchor may be used on the other side of the cut. */
const ANCHOR = /[&*][A-Za-z0-9_-]+/;

/** The head of a workflow file; null when it must be read as a whole to know. */
export function readHead(source: string): WorkflowHead | null {
  const text = source.replace(BLOCK, "");
  if (text.length === source.length || ANCHOR.test(text)) return null;
  const plain = plainHead(text);
  if (plain !== null) return plain;
  return slowHead(text);
}

type Field = "name" | "description" | "version" | "author";

/**
 * A line that has one meaning: a key and a plain or quoted text without escapes. A plain text begins with a letter and
 * holds nothing that begins a comment, a key or a flow. What YAML reads as another type is left to YAML.
 */
const LINE =
  /^([a-z]+): +(?:([A-Za-z][A-Za-z0-9 _.,;()/+'"!?=-]*[A-Za-z0-9_.,;()/+'"!?=-]|[A-Za-z])|"([^"\\\t]*)"|'([^'\t]*)') *$/;
const TYPED = /^(?:true|false|null|yes|no|on|off|y|n|inf|nan)$/i;
const IGNORED = /^(?:#.*|---|)\s*$/;

/** The head of a text whose lines are all of the plain kind, but for the block of `inputs`. */
function plainHead(text: string): WorkflowHead | null {
  const fields = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  let inputs: Input[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line === "---" && at > 0) return null;
    if (IGNORED.test(line)) continue;
    if (/^inputs: *$/.test(line)) {
      let end = at + 1;
      while (end < lines.length && /^(?:[ -](?!-).*|#.*|)$/.test(lines[end] ?? "")) end += 1;
      const read = fields.has("inputs") ? null : inputsOf(lines.slice(at, end).join("\n"));
      if (read === null) return null;
      inputs = read;
      fields.set("inputs", "");
      at = end - 1;
      continue;
    }
    const [, key = "", bare, double, single] = LINE.exec(line) ?? [];
    const value = bare ?? double ?? single;
    if (value === undefined || fields.has(key) || (bare !== undefined && TYPED.test(bare))) return null;
    fields.set(key, value);
  }
  const name = fields.get("name") ?? "";
  if (name === "") return null;
  const optional = (field: Field): { [field: string]: string } => {
    const value = fields.get(field);
    return value === undefined ? {} : { [field]: value };
  };
  return { name, ...optional("description"), ...optional("version"), ...optional("author"), inputs, outputs: {} };
}

/** Workflows of one project often take the same inputs. A list that was given out is never changed. */
const known = new Map<string, Input[] | null>();
const MAX_KNOWN = 256;
/** Longer ones are read again: what is kept stays small. */
const LONGEST_KNOWN = 4_096;

function inputsOf(text: string): Input[] | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  const read = readInputs(text);
  if (text.length > LONGEST_KNOWN) return read;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, read);
  return read;
}

function readInputs(text: string): Input[] | null {
  const { root, faults } = readYaml(text);
  if (root === null || faults.length > 0) return null;
  const report = new Report(text, false);
  report.root = root;
  if (isTooLarge(report, FILE_LIMITS)) return null;
  const inputs = lowerInputs(child(root, "inputs"), report);
  return report.findings().length > 0 ? null : inputs;
}

function slowHead(text: string): WorkflowHead | null {
  const { root, faults } = readYaml(text);
  const name = textAt(root ?? undefined, "name");
  if (root === null || faults.length > 0 || name === null || name === "") return null;
  const report = new Report(text, false);
  report.root = root;
  if (isTooLarge(report, FILE_LIMITS)) return null;
  const inputs = lowerInputs(child(root, "inputs"), report);
  if (report.findings().length > 0) return null;
  const optional = (field: Field): { [field: string]: string } => {
    const value = textAt(root, field);
    return value === null ? {} : { [field]: value };
  };
  const outputs = outputsOf(child(root, "outputs"));
  return {
    name,
    ...optional("description"),
    ...optional("version"),
    ...optional("author"),
    inputs,
    outputs,
    ...mcpOf(root),
  };
}
