/**
 * What a list of workflows shows, read without the states: most of a file's text, and of the time to read it.
 *
 * I1. A head is what `parseWorkflow` would give for the same fields; where that is not sure, there is none.
 */
import type { Input } from "./document.ts";
import { textAt } from "./lower/common.ts";
import { lowerInputs } from "./lower/inputs.ts";
import { Report } from "./report.ts";
import { child } from "./yaml/located.ts";
import { readYaml } from "./yaml/read.ts";

export type WorkflowHead = { name: string; description?: string; version?: string; author?: string; inputs: Input[] };

/** A field that stands at the left edge with a block below it: up to the next line at the left edge. */
const BLOCK = /^(?:states|hooks):[ \t]*(?:#.*)?\r?\n(?:(?:[ \t#].*)?(?:\r?\n|$))*/gm;
/** An anchor may be used on the other side of the cut. */
const ANCHOR = /[&*][A-Za-z0-9_-]+/;

/** The head of a workflow file; null when it must be read as a whole to know. */
export function readHead(source: string): WorkflowHead | null {
  const text = source.replace(BLOCK, "");
  if (text.length === source.length || ANCHOR.test(text)) return null;
  const { root, faults } = readYaml(text);
  const name = textAt(root ?? undefined, "name");
  if (root === null || faults.length > 0 || name === null || name === "") return null;
  const report = new Report(text, false);
  report.root = root;
  const inputs = lowerInputs(child(root, "inputs"), report);
  if (report.findings().length > 0) return null;
  const optional = (field: "description" | "version" | "author"): { [field: string]: string } => {
    const value = textAt(root, field);
    return value === null ? {} : { [field]: value };
  };
  return { name, ...optional("description"), ...optional("version"), ...optional("author"), inputs };
}
