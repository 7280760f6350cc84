/**
 * What a template's texts read of its own states, under the names that these have in the workflow.
 *
 * I1. Only what is read is renamed: words outside of braces, quoted ones, and names that are no state of the template
 *     stay as they are.
 */
import type { Json } from "../../model.ts";

/** Null for what is no state of the template. */
type Rename = (name: string) => string | null;
type Fields = { [field: string]: Json };

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/;
/** `.states.one`, `.states "one"` behind `index`, `states["one"]`. */
const READ =
  /(?<![\w.)\]$])(?<root>\$?\.)?states(?:\.(?<field>[A-Za-z_]\w*)(?![\w-])|\s+"(?<key>[A-Za-z_][\w-]*)"|\[\s*(?<quote>["'])(?<index>[A-Za-z_][\w-]*)\k<quote>\s*\])/;
const READS = new RegExp(`${READ.source}|${QUOTED.source}`, "g");
const ACTION = new RegExp(`\\{\\{(?!-?\\s*/\\*)(?:${QUOTED.source}|(?!\\}\\})[\\s\\S])*\\}\\}`, "g");
const EXPRESSIONS: readonly string[] = ["while", "break_when", "max_iterations", "when"];

const isPlain = (name: string): boolean => /^\w+$/.test(name);
const isMap = (value: Json): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

type Groups = { [name in "root" | "field" | "key" | "index"]?: string };

/** `written`: how a name is read that the dot cannot lead to. */
const renamed = (text: string, to: Rename, written: (root: string, name: string) => string): string =>
  text.replace(READS, (found: string, ...rest: unknown[]) => {
    const { root = "", field, key, index } = rest.at(-1) as Groups;
    const name = to(field ?? key ?? index ?? "");
    if (name === null) return found;
    if (key !== undefined) return `${root}states "${name}"`;
    return isPlain(name) && field !== undefined ? `${root}states.${name}` : written(root, name);
  });

const inText = (text: string, to: Rename): string =>
  text.replace(ACTION, (action) => renamed(action, to, (root, name) => `(index ${root || "."}states "${name}")`));
const inExpression = (text: string, to: Rename): string =>
  renamed(text, to, (root, name) => `${root}states["${name}"]`);

function inValue(value: Json, to: Rename): Json {
  if (typeof value === "string") return inText(value, to);
  if (Array.isArray(value)) return value.map((item) => inValue(item, to));
  return isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inValue(item, to)]))
    : value;
}

const inFields = (fields: Fields, to: Rename): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const isExpression = EXPRESSIONS.includes(field) && typeof value === "string" && !value.includes("{{");
      return [field, isExpression ? inExpression(value, to) : inValue(value, to)];
    }),
  );

/** One state of a template. */
export function ownStatesRenamed(state: Fields, to: Rename): Fields {
  const { transitions } = state;
  const made = inFields(state, to);
  if (!Array.isArray(transitions)) return made;
  return { ...made, transitions: transitions.map((each) => (isMap(each) ? inFields(each, to) : each)) };
}
