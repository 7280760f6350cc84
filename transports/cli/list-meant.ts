/** `troupe sessions` alone, or with options of its list, is the list: a group of commands without another word has no other meaning. */
import type { Command } from "commander";

const LIST = "list";

/** The command line with the word that was left out; another one as it is. */
export function listMeant(program: Command, argv: readonly string[]): readonly string[] {
  const [name, next, ...rest] = argv;
  const isAlone = next === undefined || (next.startsWith("-") && next !== "--help" && next !== "-h");
  const group = program.commands.find((each) => each.name() === name);
  if (!isAlone || group?.commands.some((each) => each.name() === LIST) !== true) return argv;
  return [group.name(), LIST, ...(next === undefined ? [] : [next, ...rest])];
}
