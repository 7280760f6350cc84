/**
 * Checks a value against a schema and says what is wrong in our own words.
 *
 * I1. A field that is wrong is reported once and left out, so that what stands beside it is still checked.
 */
import type { z } from "zod";
import { type Json, own } from "../../model.ts";
import type { Report } from "../report.ts";
import type { Path } from "../texts.ts";
import { child, pathText } from "../yaml/located.ts";
import { oddBlankInKey } from "../yaml/slips.ts";
import { DURATION, NAMES, STATES, TEXTS } from "./fields.ts";
import { fieldsAt } from "./fields-at.ts";
import { meantDuration, meantField, meantList, meantValue } from "./other-words.ts";

type Issue = z.core.$ZodIssue;
/** `choices`: of an unknown field those that its map may have, of a value those that it may be. */
type Problem = { kind: "unknown" | "invalid"; path: (string | number)[]; expected: string; choices: string[] };

/** What a caller adds: where the value stands, and words of its own. */
export type ValueContext = {
  report: Report;
  path: Path;
  /** Of what: "an agent step". */
  what: string;
  /** The names a field may have here, for suggestions. */
  fields: readonly string[];
  /** Whether AWF loads the file in spite of a wrong value at `path` below this place: there it is only a warning. */
  loads?: (path: readonly (string | number)[], given: Json) => boolean;
};

const keyPath = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((part) => (typeof part === "number" ? part : String(part)));

function problemsOf(issue: Issue, above: readonly (string | number)[] = []): Problem[] {
  const path = [...above, ...keyPath(issue.path)];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ kind: "unknown", path: [...path, key], expected: "", choices: [] }));
  }
  if (issue.code === "invalid_union") {
    // The one alternative whose outer type fits is what the author meant.
    const meant = issue.errors.find((each) =>
      each.every((one) => one.path.length > 0 || one.code === "unrecognized_keys"),
    );
    if (meant !== undefined && meant.length > 0) return meant.flatMap((one) => problemsOf(one, path));
  }
  const choices = issue.code === "invalid_value" ? issue.values.map(String).filter((value) => value !== "") : [];
  return [{ kind: "invalid", path, expected: issue.message, choices }];
}

/** What is to be taken out of a value: by key or index, all of it or what is named below. */
type Cuts = Map<string, Cuts | "whole">;

function cutsOf(paths: readonly (readonly (string | number)[])[]): Cuts {
  const cuts: Cuts = new Map();
  for (const path of paths) {
    let level = cuts;
    for (const [index, part] of path.entries()) {
      const key = String(part);
      const known = level.get(key);
      if (known === "whole") break;
      if (index === path.length - 1) level.set(key, "whole");
      else if (known === undefined) {
        const below: Cuts = new Map();
        level.set(key, below);
        level = below;
      } else level = known;
    }
  }
  return cuts;
}

/** A copy of `value` without what is cut; all at once, so that it takes no longer than one look at the value. */
function without(value: Json, cuts: Cuts): Json {
  if (typeof value !== "object" || value === null) return value;
  const kept = (key: string, item: Json): Json[] => {
    const cut = cuts.get(key);
    if (cut === "whole") return [];
    return [cut === undefined ? item : without(item, cut)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => kept(String(index), item));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => kept(key, item).map((left) => [key, left] as const)),
  );
}

function at(value: Json, path: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value;
  for (const part of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.hasOwn(found, part) ? (found as { [name: string]: Json })[part] : undefined;
  }
  return found;
}

/** A value in a message: short, and on one line. */
export function shown(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a map";
  if (value === null) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function missing(path: readonly (string | number)[], what: string, subject: string): string {
  if (path.length === 0) return `${what} is empty`;
  return path.length === 1 ? `${what} needs ${subject}` : `${subject} is missing here`;
}

const SECRET_BY_NAME = "a name that says so, such as db_password, api_key or token: its value is masked then";

/** What is done otherwise here, by what a field stands in (all of its words, the kind of a step, or any) and its name elsewhere. */
const OTHERWISE: { readonly [field: string]: string } = {
  "step if": "transitions of the state that leads here, each with when and goto",
  "step when": "transitions, each with when and goto, here or in the state that leads here",
  "step timeout-minutes": "timeout with its unit, such as timeout: 5m",
  "on_failure goto": "the name of the state alone, on_failure: name, or a message to end the run with",
  "command env":
    'NAME="value" before the program in the command; env of the workflow lists what steps get from outside',
  "agent env": "env in its options",
  "an input secret": SECRET_BY_NAME,
  "an input sensitive": SECRET_BY_NAME,
  "the parameters": "inputs; a step template, which has parameters, is checked where a step uses it",
};

const otherwiseOf = (within: string, name: string): string | undefined =>
  own(OTHERWISE, `${within} ${name}`) ??
  own(OTHERWISE, `${within.split(" ", 1)[0]} ${name}`) ??
  (within.includes(" step ") ? own(OTHERWISE, `step ${name}`) : undefined);

/** The fields of a step that say where control goes. */
const WAYS: readonly string[] = ["on_success", "on_failure", "transitions", "on_complete", "body", "parallel"];

/** A field that says, or most likely should say, where control goes, and cannot be read: the state's ways are not all known. */
function noteWays(field: string, value: Json, meant: string | null, { report, path }: ValueContext): void {
  const [root, state] = path;
  if (root !== "states" || typeof state !== "string") return;
  const states = child(report.root, "states")?.entries;
  const names = Array.isArray(value) ? value : [value];
  const namesStates = names.length > 0 && names.every((name) => typeof name === "string" && states?.has(name) === true);
  if (WAYS.includes(meant ?? field) || (meant === null && namesStates)) report.unsure.add(state);
}

/**
 * What unknown fields of maps within the value may stand for: `choices`, those that are not there. Where it is the only
 * unknown one of its map, and one only is missing that is needed, it is that one (`expected`).
 */
function withChoices(problems: readonly Problem[], schema: z.core.$ZodType, value: Json): Problem[] {
  const above = ({ path }: Problem): string => pathText(path.slice(0, -1));
  const maps = new Map<string, { unknown: number; needed: string[] }>();
  for (const problem of problems) {
    const map = maps.get(above(problem)) ?? { unknown: 0, needed: [] };
    if (problem.kind === "unknown") map.unknown += 1;
    else if (at(value, problem.path) === undefined) map.needed.push(String(problem.path.at(-1) ?? ""));
    maps.set(above(problem), map);
  }
  return problems.map((problem) => {
    const place = problem.path.slice(0, -1);
    if (problem.kind !== "unknown" || place.length === 0) return problem;
    const { unknown = 0, needed = [] } = maps.get(above(problem)) ?? {};
    const choices = fieldsAt(schema, place).filter((field) => at(value, [...place, field]) === undefined);
    return { ...problem, expected: unknown === 1 && needed.length === 1 ? (needed[0] ?? "") : "", choices };
  });
}

const oneOf = (fields: readonly string[]): string | undefined =>
  fields.length < 2 ? fields[0] : `one of ${fields.join(", ")}`;

/** What a field of this name most likely says with a value that is no text. */
const PLAIN: { readonly [written: string]: string } = { "isolation true": "worktree" };
const meantPlain = (field: string, given: Json | undefined): string | null =>
  typeof given === "boolean" ? (own(PLAIN, `${field} ${given}`) ?? null) : null;

function meantBy(given: string, { choices, expected }: Problem, report: Report): string | null {
  if (expected === DURATION) return meantDuration(given);
  if (expected === NAMES || expected === TEXTS) return meantList(given);
  return meantValue(given, choices) ?? report.suggest(given, choices);
}

function say(problem: Problem, value: Json, place: ValueContext): void {
  const { report, what } = place;
  const path = [...place.path, ...problem.path];
  const name = problem.path.filter((part) => typeof part === "string").at(-1) ?? "it";
  const proxy = problem.path[0] === "mcp_proxy";
  if (problem.kind === "unknown") {
    const outer = problem.path.length === 1;
    const odd = oddBlankInKey(name);
    const fields = outer ? place.fields : problem.choices;
    const otherwise = otherwiseOf(outer ? what : String(problem.path.at(-2)), name);
    const near = (): string | null => meantField(name, fields) ?? (problem.expected || report.suggest(name, fields));
    const suggestion = otherwise === undefined ? near() : null;
    const isList = suggestion === "states" && Array.isArray(at(value, problem.path));
    // Not one field of the map is meant, so that none is missing.
    if (otherwise !== undefined && !outer)
      for (const field of fields) report.meant.add(pathText([...path.slice(0, -1), field]));
    if (outer) noteWays(name, at(value, problem.path) ?? null, suggestion, place);
    // AWF passes over what it does not know: there only what is missing refuses the file.
    if (suggestion !== null && !report.awf) report.meant.add(pathText([...path.slice(0, -1), suggestion]));
    report.add({
      code: proxy ? "USER.MCP_PROXY.UNKNOWN_KEY" : "WORKFLOW.PARSE.UNKNOWN_FIELD",
      message: odd?.message ?? (outer ? `${what} has no field "${name}"` : `"${name}" is not known here`),
      expected: odd?.expected ?? otherwise ?? (isList ? STATES : outer ? undefined : oneOf(fields)),
      suggestion,
      path,
      on: "key",
      loads: !proxy,
    });
    return;
  }
  const given = at(value, problem.path);
  noteWays(String(problem.path[0] ?? ""), null, null, place);
  const loads = place.loads?.(problem.path, given ?? null) ?? false;
  const empty = given === undefined || given === null;
  if (empty && report.meant.has(pathText(path))) return; // it is there, misspelt
  const last = problem.path.at(-1);
  const field = typeof last === "number" ? `entry ${last + 1} of "${name}"` : `"${name}"`;
  const subject = last === undefined ? what : field;
  report.add({
    code: empty ? "WORKFLOW.PARSE.MISSING_FIELD" : "WORKFLOW.PARSE.INVALID_FIELD",
    message: empty
      ? missing(problem.path, what, subject)
      : `${subject} must be ${problem.expected}, not ${shown(given)}`,
    expected: problem.expected,
    suggestion: typeof given === "string" ? meantBy(given, problem, report) : meantPlain(name, given),
    path,
    loads,
  });
}

/** The value as the schema types it, less what was wrong; null when it is of no use without. */
export function conform<T extends z.ZodType>(schema: T, value: Json, place: ValueContext): z.output<T> | null {
  const first = schema.safeParse(value);
  if (first.success) return first.data;
  const found = first.error.issues.flatMap((issue) => problemsOf(issue));
  const problems = withChoices(found, schema, value);
  const unknown = problems.filter(({ kind }) => kind === "unknown");
  for (const problem of [...unknown, ...problems.filter((each) => !unknown.includes(each))]) say(problem, value, place);
  const rest = without(value, cutsOf(problems.map(({ path }) => path)));
  const second = schema.safeParse(rest);
  return second.success ? second.data : null;
}
