/**
 * Help that is asked for by words: `troupe help run`, `troupe run --help`.
 *
 * I1. Help on a command that is not there is refused as the command itself is, with what was perhaps meant.
 */
import type { Command } from "commander";

const HELP = "help";
const ASKS: ReadonlySet<string> = new Set([HELP, "--help", "-h"]);

/** The words after `help`, of which the first says which commands are to be known. */
export const wordsOf = (argv: readonly string[]): readonly string[] => (argv[0] === HELP ? argv.slice(1) : argv);

/** The command line that gives the help that is asked for, or that refuses it (I1); another one as it is. */
export function helpAsked(program: Command, argv: readonly string[]): readonly string[] {
  const words = wordsOf(argv);
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  if (argv[0] !== HELP && !own.some((word) => ASKS.has(word))) return argv;
  let command = program;
  for (const [at, word] of own.entries()) {
    if (word.startsWith("-") || command.commands.length === 0 || command.registeredArguments.length > 0) break;
    if (word === HELP) continue;
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) return words.slice(0, at + 1).filter((each) => each !== HELP);
    command = next;
  }
  return argv[0] === HELP ? [...words, "--help"] : argv;
}
