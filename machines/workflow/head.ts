/**
 * What a listing shows of a workflow file, without reading its states: a quick look for folders with many files.
 *
 * I1. What it says is what `parseWorkflow` would say; where it cannot be sure, it says null and the whole is parsed.
 */
import type { Input } from "./document.ts";
import { lowerInputs } from "./lower/inputs.ts";
import { Report } from "./report.ts";
import { child } from "./yaml/located.ts";
import { readYaml } from "./yaml/read.ts";

export type Head = { name: string; description: string; version: string | null; inputs: Input[] };

const KEY = /^([A-Za-z_][A-Za-z0-9_]*):(?:[ \t]+(.*))?$/;
/** A line that belongs to the key above it, or to none. */
const BELOW = /^(?:[ \t].*|#.*|- .*|-|)$/;
/** One line of text that means itself in YAML. */
const PLAIN = /^[A-Za-z][\w.,/()'-]*(?: [\w.,/()'-]+)*$/;
const QUOTED = /^"([^"\\]*)"$|^'([^']*)'$/;
const OTHER_TYPE = /^(?:true|false|null)$/i;
const WANTED = new Set(["name", "description", "version", "inputs"]);
const MAX_LENGTH = 1024 * 1024;

/** The text of a value that stands on one line, or null where YAML has to read it. */
function simpleText(value: string | undefined): string | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (PLAIN.test(text)) return OTHER_TYPE.test(text) ? null : text;
  const quoted = QUOTED.exec(text);
  return quoted === null ? null : (quoted[1] ?? quoted[2] ?? "");
}

type Field = { value: string | undefined; lines: string[] };

/** The wanted keys of the document with their lines; null when the file is not a plain list of keys. */
function fieldsOf(source: string): Map<string, Field> | null {
  const fields = new Map<string, Field>();
  const seen = new Set<string>();
  let current: Field | null = null;
  for (const line of source.split(/\r?\n/)) {
    if (BELOW.test(line)) {
      current?.lines.push(line);
      continue;
    }
    const match = KEY.exec(line);
    if (match === null) {
      if (line === "---" && seen.size === 0) continue;
      return null;
    }
    const [, name = "", value] = match;
    if (seen.has(name)) return null;
    seen.add(name);
    current = WANTED.has(name) ? { value, lines: [line] } : null;
    if (current !== null) fields.set(name, current);
  }
  return seen.has("name") && seen.has("states") ? fields : null;
}

const isOneLine = ({ lines }: Field): boolean => lines.slice(1).every((line) => /^\s*(?:#.*)?$/.test(line));

/** The head of a file without faults in it, or null: then only the whole file tells. */
export function parseHead(source: string, options: { awf: boolean }): Head | null {
  if (source.length > MAX_LENGTH) return null;
  const fields = fieldsOf(source);
  if (fields === null) return null;
  const texts = new Map<string, string>();
  const rest: string[] = [];
  for (const [name, field] of fields) {
    const text = name !== "inputs" && isOneLine(field) ? simpleText(field.value) : null;
    if (text === null) rest.push(...field.lines);
    else texts.set(name, text);
  }
  const { root, faults } = rest.length === 0 ? { root: null, faults: [] } : readYaml(rest.join("\n"));
  if (faults.length > 0 || (rest.length > 0 && root?.entries === undefined)) return null;
  const report = new Report("", options.awf);
  if (root !== null) report.root = root;
  const inputs = lowerInputs(child(root ?? undefined, "inputs"), report);
  if (report.findings().some(({ severity }) => severity === "error")) return null;
  const text = (name: string): string | null => texts.get(name) ?? child(root ?? undefined, name)?.scalar?.text ?? null;
  const name = text("name");
  if (name === null || name === "") return null;
  return { name, description: text("description") ?? "", version: text("version"), inputs };
}
