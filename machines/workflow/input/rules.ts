/**
 * What an input's `validation` says about a value.
 *
 * I1. Patterns are matched in time linear in the text, and a text too long for its pattern is refused.
 * I2. An empty text is the path of no file: an optional file is left out by not giving it.
 */
import type { Json } from "../../model.ts";
import type { Input } from "../document.ts";
import { compilePattern } from "../expression/pattern.ts";

export type Broken = { code: "USER.INPUT.VALIDATION_FAILED" | "USER.INPUT.MISSING_FILE"; expected: string };
export type FileExists = (path: string) => boolean;

/** Size of a compiled pattern times the length of a text: some tenths of a second. */
const MAX_PATTERN_WORK = 20_000_000;

const refused = (expected: string): Broken[] => [{ code: "USER.INPUT.VALIDATION_FAILED", expected }];

function patternBroken(pattern: string | undefined, text: string): Broken[] {
  if (pattern === undefined) return [];
  const compiled = compilePattern(pattern);
  if (!compiled.ok) return refused(`a pattern that can be read, but ${compiled.message}`);
  // Editors show this as Markdown, which would take stars and underlines away.
  const shown = `\`${pattern.replaceAll("`", "'")}\``;
  if (compiled.size * text.length > MAX_PATTERN_WORK) return refused(`a text short enough for the pattern ${shown}`);
  return compiled.test(text) ? [] : refused(`text that matches the pattern ${shown}`);
}

function rangeBroken({ min, max }: Input["validation"], value: Json): Broken[] {
  if (typeof value !== "number") return [];
  if (min !== undefined && value < min) return refused(`at least ${min}`);
  return max !== undefined && value > max ? refused(`at most ${max}`) : [];
}

/** The extension with its dot, as it stands in the last part of a path; "" without one. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}

/** Whether a value is the path of a file. */
export const isFile = ({ fileExists, fileExtension = [] }: Input["validation"]): boolean =>
  fileExists === true || fileExtension.length > 0;

function fileBroken(rules: Input["validation"], path: string, exists: FileExists | undefined): Broken[] {
  if (path === "" && isFile(rules)) return refused("the path of a file"); // I2
  const broken: Broken[] = [];
  if (rules.fileExists === true && exists !== undefined && !exists(path)) {
    broken.push({ code: "USER.INPUT.MISSING_FILE", expected: "the path of a file that exists, from the run's folder" });
  }
  const allowed = rules.fileExtension ?? [];
  const dotted = allowed.map((each) => (each.startsWith(".") ? each : `.${each}`));
  if (dotted.length > 0 && !dotted.includes(extensionOf(path))) {
    broken.push(...refused(`a file with the extension ${dotted.join(" or ")}`));
  }
  return broken;
}

/** Every rule that a value of the right type breaks, in the order pattern, enum, range, file. */
export function brokenRules(rules: Input["validation"], value: Json, exists: FileExists | undefined): Broken[] {
  const isText = rules.pattern !== undefined || rules.enum !== undefined || rules.fileExists || rules.fileExtension;
  if (typeof value === "object") return isText ? refused("text") : [];
  const text = String(value);
  return [
    ...patternBroken(rules.pattern, text),
    ...(rules.enum === undefined || rules.enum.includes(text) ? [] : refused(`one of ${rules.enum.join(", ")}`)),
    ...rangeBroken(rules, value),
    ...fileBroken(rules, text, exists),
  ];
}
