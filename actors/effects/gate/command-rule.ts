/**
 * Whether a command begins as a rule says. A command is a text for a shell, or an argv: a list, or a program with `args`.
 *
 * I1. To allow, the whole must be one plain command: whatever a shell would read as more (`;`, `&&`, `$(…)`, a
 *     redirection, a new line) is not matched, nor is one with variables of its own.
 * I2. To refuse or to ask, one part of it that begins so is enough; in an argv also of the text that a
 *     shell is given by `-c`.
 */
import type { Json } from "../../../machines/model.ts";
import { fieldsOf } from "../../base/json.ts";

const SHELL = /[;&|<>`$(){}\n\r\\'"*?[\]~#!]/;
const PARTS = /[;&|`\n\r(){}]|\$\(|<\(|>\(/;

const GIVES_TEXT = /^-[a-z]*c$/;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const begins = (words: readonly string[], rule: string): boolean =>
  wordsOf(rule).every((word, index) => words[index] === word);
const someBegins = (text: string, rule: string): boolean =>
  text.split(PARTS).some((part) => begins(wordsOf(part), rule));

/** `all`: for a rule that allows (I1). */
export function commandMatches(input: Json, rule: string, all: boolean): boolean {
  const { command, args, env } = fieldsOf(input);
  if (all && Array.isArray(env) && env.length > 0) return false;
  const more = Array.isArray(args) ? args : [];
  if (typeof command === "string" && more.length === 0)
    return all ? !SHELL.test(command) && begins(wordsOf(command), rule) : someBegins(command, rule);
  const argv = Array.isArray(command) ? command : [command ?? null, ...more];
  if (!argv.every((word) => typeof word === "string")) return false;
  if (all) return begins(argv, rule);
  const texts = argv.filter((_, at) => GIVES_TEXT.test(argv[at - 1] ?? ""));
  return begins(argv, rule) || texts.some((text) => someBegins(text, rule));
}
