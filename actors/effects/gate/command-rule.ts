/**
 * Whether a command begins as a rule says. A command is a text for a shell, or an argv: a list, or a program with `args`.
 *
 * I1. To allow, the whole must be one plain command: whatever a shell would read as more (`;`, `&&`, `$(…)`, a
 *     redirection, a new line) is not matched, nor is one with variables of its own.
 * I2. To refuse or to ask, one part of it that begins so is enough; in an argv also of the text that a
 *     shell is given by `-c`. Quotes, a program's folder, words of the shell (`do rm`), variables (`A=1 rm`) and programs
 *     that run others (`xargs rm`) before it do not hide it.
 */
import { basename } from "node:path";
import type { Json } from "../../../machines/model.ts";
import { fieldsOf } from "../../base/json.ts";

const SHELL = /[;&|<>`$(){}\n\r\\'"*?[\]~#!]/;
const PARTS = /[;&|`\n\r(){}]|\$\(|<\(|>\(/;

const GIVES_TEXT = /^-[a-z]*c$/;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const begins = (words: readonly string[], rule: string): boolean =>
  wordsOf(rule).every((word, index) => words[index] === word);
const someBegins = (text: string, rule: string): boolean =>
  text.split(PARTS).some((part) => hiddenBegins(wordsOf(part), rule));

/** What a shell reads before a command, and is none. */
const BEFORE = /^(?:if|then|elif|else|do|while|until|time|!|\d*[<>].+|[A-Za-z_]\w*\+?=.*)$/s;
/** Programs that run what stands somewhere after them. */
const RUNS_OTHERS = new Set(
  (
    "sudo doas su env command exec eval builtin nohup nice ionice setsid timeout stdbuf xargs parallel watch strace " +
    "sh bash dash zsh ksh busybox"
  ).split(" "),
);
const EXECUTES = /^-(?:exec|ok)(?:dir)?$/;

/** The same where a rule refuses or asks (I2): also what stands behind that, and is written in another way. */
function hiddenBegins(given: readonly string[], rule: string): boolean {
  const words = given.map((word) => word.replace(/["'\\]/g, ""));
  const first = words.findIndex((word) => !BEFORE.test(word));
  const runsOthers = RUNS_OTHERS.has(basename(words[first] ?? ""));
  const isStart = (at: number): boolean =>
    at === 0 || at === first || (runsOthers && at > first) || EXECUTES.test(words[at - 1] ?? "");
  const [program = ""] = wordsOf(rule);
  return words.some((word, at) => {
    const named = program.includes("/") ? word : basename(word);
    return isStart(at) && begins([named, ...words.slice(at + 1)], rule);
  });
}

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
  return hiddenBegins(argv, rule) || texts.some((text) => someBegins(text, rule));
}
