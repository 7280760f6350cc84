/**
 * Values that try to run `touch <canary>` in whatever place they get to: known tricks first, then random ones made of
 * what shells read. The same seed gives the same values.
 */
import fc from "fast-check";
import { tricks } from "./tricks.ts";

const atoms = (T: string, canary: string): string[] => [
  "'",
  '"',
  "`",
  "$",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  ";",
  "&",
  "|",
  "<",
  ">",
  "\\",
  "\n",
  "\r",
  "\t",
  " ",
  "#",
  "!",
  "~",
  "*",
  "?",
  "=",
  "%",
  "^",
  "-",
  "--",
  "EOF",
  "\nEOF\n",
  "EOF_",
  "$(",
  "${",
  "$((",
  "))",
  "<<",
  "<<<",
  "<<EOF\n",
  ">(",
  "<(",
  "&&",
  "||",
  ";;",
  T,
  `$(${T})`,
  `\`${T}\``,
  `>${canary}`,
  `a[$(${T})]`,
  "$'",
  '$"',
  "T1",
  "$T1",
  "${T1}",
  "x",
  "0",
  "-eq",
  "in",
  "do",
  "done",
  "then",
  "fi",
  "esac",
  "]]",
  "[[",
  "eval ",
  "\u2028",
  "\u0001",
  "\u007f",
  "é",
  "😀",
  "\ud83d",
  "unset T1;",
  "IFS=;",
  "set -x;",
];

const OPENERS = ["'", '"', "`", ")", "}", "\nEOF\n", "]]", "))", "\\", "$("];

export function hostileValues(canary: string, count: number, seed = 7): string[] {
  const T = `touch ${canary}`;
  const runs = [`;${T};`, `$(${T})`, `\`${T}\``, `\n${T}\n`, `&&${T}`, `|${T}`, `a[$(${T})]`];
  const middle = fc.array(fc.constantFrom(...atoms(T, canary)), { minLength: 1, maxLength: 9 });
  const random = fc
    .tuple(fc.option(fc.constantFrom(...OPENERS), { nil: "" }), middle, fc.constantFrom("", ...runs))
    .map(([opener, parts, run]) => {
      const text = opener + parts.join("");
      return text.includes(T) ? text : text + run;
    });
  const known = tricks(T, canary);
  const more = count > known.length ? fc.sample(random, { numRuns: count - known.length, seed }) : [];
  return [...known, ...more].slice(0, count);
}

/** Too large for the environment: they come to the shell in files. */
export function largeValues(canary: string): string[] {
  const T = `touch ${canary}`;
  const long = [`${"A".repeat(100_000)}$(${T})`, `${"'".repeat(100_000)}`, `${"\n".repeat(100_000)}${T}`];
  return [...long, `$(${T})${"x".repeat(120_000)}`, `${"é".repeat(70_000)};${T}`];
}
