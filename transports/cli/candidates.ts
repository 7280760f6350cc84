/**
 * The words that can stand last on a command line, from the tree of commands.
 *
 * I1. A word that only this machine knows (a workflow, a run, an agent) is asked for by the name of its argument, or by
 *     that of the value of its option.
 */
import type { Argument, Command, Option } from "commander";

export type Candidate = { word: string; means: string };
/** The words of an argument, or of a value, of this name; none for any other. */
export type KnownWords = (argument: string) => Promise<Candidate[]>;

/** `words`: those after the program's name; the last one is being written, and may be empty. */
export async function candidates(program: Command, words: readonly string[], known: KnownWords): Promise<Candidate[]> {
  const last = words.at(-1) ?? "";
  const place = placeOf(program, words.slice(0, -1));
  const fits = ({ word }: Candidate): boolean => word.startsWith(last === "=" ? "" : last);
  if (place.option !== null) return (await valuesOf(place.option, known)).filter(fits);
  const given = /^(--[^=]+)=/.exec(last)?.[1];
  if (given !== undefined) {
    const option = optionNamed(place.command, given);
    const values = option === undefined ? [] : await valuesOf(option, known);
    return values.map(({ word, means }) => ({ word: `${given}=${word}`, means })).filter(fits);
  }
  const help = place.command.createHelp();
  if (last.startsWith("-") && !place.isOver)
    return help
      .visibleOptions(place.command)
      .map(({ long, short, description }) => ({ word: long ?? short ?? "", means: description }))
      .filter(fits);
  const commands = place.position > 0 || place.isOver ? [] : help.visibleCommands(place.command);
  const argument = argumentAt(place.command, place.position);
  const own = argument === undefined ? [] : (argument.argChoices ?? []).map((word) => ({ word, means: "" }));
  const asked = argument === undefined ? [] : await known(argument.name());
  return [...commands.map((one) => ({ word: one.name(), means: one.description() })), ...own, ...asked].filter(fits);
}

/** Where a line stands: its command, how many of its arguments are there, and the option that wants a value next. */
type Place = { command: Command; position: number; option: Option | null; isOver: boolean };

function placeOf(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, position: 0, option: null, isOver: false };
  for (const word of words) {
    // Bash hands over `--format=json` as three words.
    if (word === "=") continue;
    if (place.option !== null) place.option = null;
    else if (place.isOver) place.position++;
    else if (word === "--") place.isOver = true;
    else if (word.startsWith("-")) {
      const option = word.includes("=") ? undefined : optionNamed(place.command, word);
      place.option = option?.required === true ? option : null;
    } else {
      const below = place.command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (below === undefined || place.position > 0) place.position++;
      else place.command = below;
    }
  }
  return place;
}

const optionNamed = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name);

/** Of an option that takes one. */
async function valuesOf({ argChoices, flags }: Option, known: KnownWords): Promise<Candidate[]> {
  if (argChoices !== undefined) return argChoices.map((word) => ({ word, means: "" }));
  const value = /[<[]([\w-]+)/.exec(flags)?.[1];
  return value === undefined ? [] : await known(value);
}

/** The last argument may take all that follow. */
function argumentAt({ registeredArguments }: Command, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
}
