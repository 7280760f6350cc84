/** From `inputs` to the workflow's inputs: a list with names, or a map by name. */

import { RE2JS } from "re2js";
import type { z } from "zod";
import { type Json, own } from "../../model.ts";
import { isSecretName, MIN_SECRET } from "../../secret-name.ts";
import type { Input, InputType } from "../document.ts";
import type { Report } from "../report.ts";
import { conform } from "../schema/conform.ts";
import { isYes } from "../schema/fields.ts";
import { INPUT_TYPES, input, type inputValidation } from "../schema/input.ts";
import type { Path } from "../texts.ts";
import { child, type Located } from "../yaml/located.ts";
import { textAt } from "./common.ts";

const FIELDS = Object.keys(input.shape);

const LONGEST_PATTERN = 1_000;
/** What the patterns of a file may weigh; those after it are checked when they are used. */
const MOST_WEIGHT = 20_000;

/** About how many instructions a pattern is compiled to: its characters, as often as it repeats them. */
function weightOf(pattern: string): number {
  const repeats = [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)];
  return repeats.reduce((weight, [, least, most]) => weight * Math.max(1, Number(most || least)), pattern.length);
}

/** What patterns may still weigh. */
export type PatternBudget = { left: number };

export function checkPattern(pattern: string, path: Path, report: Report, budget: PatternBudget): void {
  if (pattern.length <= LONGEST_PATTERN) {
    budget.left -= weightOf(pattern);
    if (budget.left < 0) return;
  }
  try {
    if (pattern.length > LONGEST_PATTERN) throw new Error(`it is longer than ${LONGEST_PATTERN} characters`);
    RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `"pattern" is not a regular expression: ${reason}`;
    report.add({ code: "WORKFLOW.PARSE.INVALID_FIELD", message, expected: "RE2 syntax", path, loads: true });
  }
}

/** The texts of a list as they are written. What is no text was said already, and is left out. */
const textsOf = (list: Located | undefined): string[] =>
  (list?.items ?? []).flatMap(({ value, scalar }) => (value === null || scalar === undefined ? [] : [scalar.text]));

function validationOf(data: z.output<typeof inputValidation>, at: Located | undefined): Input["validation"] {
  const extensions = data.file_extension;
  const { pattern, min, max } = data;
  return {
    ...(pattern ? { pattern } : {}),
    ...(data.enum ? { enum: textsOf(child(at, "enum")) } : {}),
    ...(min === null || min === undefined ? {} : { min }),
    ...(max === null || max === undefined ? {} : { max }),
    ...(isYes(data.file_exists) ? { fileExists: true } : {}),
    ...(extensions ? { fileExtension: [extensions].flat().map(String) } : {}),
  };
}

/** A secret that cannot be hidden well: it would blacken whatever it is a part of. */
function checkSecret(name: string, initial: Json | undefined, path: Path, report: Report): void {
  if (!isSecretName(name) || (typeof initial !== "string" && typeof initial !== "number")) return;
  const { length } = String(initial);
  if (length === 0 || length >= MIN_SECRET) return;
  report.add({
    code: "WORKFLOW.VALIDATION.SHORT_SECRET",
    message: `"${name}" is a secret by its name, and its default is so short that it is masked as a whole word only`,
    expected: `${MIN_SECRET} characters or more`,
    path: [...path, "default"],
    loads: true,
    maybe: true,
  });
}

/** Words of other languages for a type, with ours. */
const OTHER_TYPES: { readonly [word: string]: InputType } = {
  text: "string",
  str: "string",
  choice: "string",
  enum: "string",
  select: "string",
  int: "integer",
  number: "integer",
  bool: "boolean",
};

/** The declared type; what AWF would only refuse at run time is said now and treated as text. */
function typeOf(at: Located, path: Path, report: Report): InputType {
  const given = textAt(at, "type") ?? "";
  const known = INPUT_TYPES.find((type) => type === given.toLowerCase());
  if (known !== undefined || given === "") return known ?? "string";
  report.add({
    code: "WORKFLOW.PARSE.INVALID_FIELD",
    message: `"${given}" is not a type of input`,
    expected: `one of ${INPUT_TYPES.join(", ")}`,
    suggestion: own(OTHER_TYPES, given) ?? report.suggest(given, INPUT_TYPES),
    path: [...path, "type"],
    loads: true,
  });
  return "string";
}

/** A number that cannot be held exactly is, as text, what is written. */
function defaultOf(at: Located | undefined, type: InputType): Json | undefined {
  const isAltered = typeof at?.value === "number" && Number.isInteger(at.value) && !Number.isSafeInteger(at.value);
  return isAltered && type === "string" ? (at?.scalar?.text ?? at?.value) : at?.value;
}

function lowerInput(
  name: string | null,
  at: Located,
  path: Path,
  { report, patterns }: { report: Report; patterns: PatternBudget },
): Input | null {
  // A type that is a word is judged here, so that an unknown one does not make the input unreadable.
  const given = textAt(at, "type") === null ? at.value : { ...(at.value as object), type: null };
  const value: Json = name === null || at.entries === undefined ? given : { ...(given as object), name };
  const found = conform(input, value, {
    report,
    path,
    what: name === null ? "an input" : `input "${name}"`,
    fields: FIELDS,
    // AWF knows it by no name: nothing can give it a value or read it.
    loads: ([field], given) => field === "name" && given === null,
  });
  if (found === null) return null;
  const label = name ?? textAt(at, "name") ?? String(found.name);
  const description = textAt(at, "description");
  const type = typeOf(at, path, report);
  const initial = defaultOf(child(at, "default"), type);
  checkSecret(label, initial, path, report);
  if (found.validation?.pattern) {
    checkPattern(found.validation.pattern, [...path, "validation", "pattern"], report, patterns);
  }
  return {
    name: label,
    type,
    ...(description === null ? {} : { description }),
    required: isYes(found.required),
    ...(initial === undefined ? {} : { default: initial }),
    validation: found.validation ? validationOf(found.validation, child(at, "validation")) : {},
  };
}

/** All inputs in the order of the file. A name that is used twice is a fault. */
export function lowerInputs(at: Located | undefined, report: Report): Input[] {
  if (at === undefined) return [];
  const found: Input[] = [];
  const names = new Set<string>();
  const patterns = { left: MOST_WEIGHT };
  const keep = (name: string | null, value: Located, path: Path): void => {
    const lowered = lowerInput(name, value, path, { report, patterns });
    if (lowered === null) {
      report.lostInput = true;
      return;
    }
    if (names.has(lowered.name)) {
      const message = `input "${lowered.name}" is declared twice`;
      report.add({
        code: "WORKFLOW.PARSE.INVALID_FIELD",
        message,
        expected: "each name once",
        path: [...path, "name"],
        loads: true,
      });
      return;
    }
    names.add(lowered.name);
    found.push(lowered);
  };
  if (at.items !== undefined) at.items.forEach((item, index) => void keep(null, item, ["inputs", index]));
  else if (at.entries !== undefined) {
    for (const [name, entry] of at.entries) {
      const empty: Located = { value: {}, range: entry.key, entries: new Map() };
      keep(name, entry.value.value === null ? empty : entry.value, ["inputs", name]);
    }
  } else {
    const message = '"inputs" must be a list of inputs, each with a name';
    report.add({
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message,
      expected: "a list of inputs",
      path: ["inputs"],
      loads: false,
    });
  }
  return found;
}
