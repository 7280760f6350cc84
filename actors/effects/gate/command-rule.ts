/**
 * Whether a command begins as a rule says.
 *
 * I1. To allow, the whole must be one plain command: whatever a shell would read as more (`;`, `&&`, `$(…)`, a
 *     redirection, a new line) is not matched.
 * I2. To refuse or to ask, one part of it that begins so is enough.
 */
import type { Json } from "../../../machines/model.ts";
import { fieldsOf } from "../../base/json.ts";

const SHELL = /[;&|<>`$(){}\n\r\\'"*?[\]~#!]/;
const PARTS = /[;&|`\n\r(){}]|\$\(|<\(|>\(/;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const begins = (words: readonly string[], rule: string): boolean =>
  wordsOf(rule).every((word, index) => words[index] === word);

/** `all`: for a rule that allows (I1). */
export function commandMatches(input: Json, rule: string, all: boolean): boolean {
  const { command } = fieldsOf(input);
  if (Array.isArray(command)) return command.every((word) => typeof word === "string") && begins(command, rule);
  if (typeof command !== "string") return false;
  if (all) return !SHELL.test(command) && begins(wordsOf(command), rule);
  return command.split(PARTS).some((part) => begins(wordsOf(part), rule));
}
