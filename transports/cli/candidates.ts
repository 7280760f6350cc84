/**
 * The words that can stand last on a command line, from the tree of commands.
 *
 * I1. A word that only this machine knows (a workflow, a run, an agent) is asked for by the name of its argument, or by
 *     that of the value of its option; and by its command, which may take only some of them.
 * I2. Where no argument can stand any more, the options of the command can: names of files are not offered for nothing.
 * I3. Bash hands over `--format=json` as three words, and completes the last one; `@last` as two, and completes both.
 */
import type { Argument, Command, Option } from "commander";

export type Candidate = { word: string; means: string };
/** Where the word stands: the name of its command, and the arguments before it. */
export type WordPlace = { command: string; given: readonly string[] };
/** The words of an argument, or of a value, of this name; none for any other. */
export type KnownWords = (argument: string, standing: WordPlace) => Promise<Candidate[]>;

/** `words`: those after the program's name; the last one is being written, and may be empty. */
export const candidates = (program: Command, words: readonly string[], known: KnownWords): Promise<Candidate[]> =>
  fitting(program, joined(words), known);

const AT = "@";
/** The words as they stand on the line (I3). */
function joined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (const word of words) {
    if (whole.at(-1) === AT) whole[whole.length - 1] = AT + word;
    else whole.push(word);
  }
  return whole;
}

type Known = (argument: string) => Promise<Candidate[]>;

async function fitting(program: Command, words: readonly string[], ask: KnownWords): Promise<Candidate[]> {
  const last = words.at(-1) ?? "";
  const place = placeOf(program, words.slice(0, -1));
  const known: Known = (name) => ask(name, { command: place.command.name(), given: place.given });
  const fits = ({ word }: Candidate): boolean => word.startsWith(last === "=" ? "" : last);
  if (place.option !== null) return (await valuesOf(place.option, known)).filter(fits);
  const given = /^(--[^=]+)=/.exec(last)?.[1];
  if (given !== undefined) {
    const option = optionNamed(place.command, given);
    const values = option === undefined ? [] : await valuesOf(option, known);
    return values.map(({ word, means }) => ({ word: `${given}=${word}`, means })).filter(fits);
  }
  const help = place.command.createHelp();
  const argument = argumentAt(place.command, place.given.length);
  const commands = place.given.length > 0 || place.isOver ? [] : help.visibleCommands(place.command);
  const isFull = place.command !== program && argument === undefined && commands.length === 0; // I2
  if ((last.startsWith("-") || (last === "" && isFull)) && !place.isOver)
    return help
      .visibleOptions(place.command)
      .map(({ long, short, description }) => ({ word: long ?? short ?? "", means: description }))
      .filter(fits);
  const own = argument === undefined ? [] : (argument.argChoices ?? []).map((word) => ({ word, means: "" }));
  const asked = argument === undefined ? [] : await known(argument.name());
  return [...commands.map((one) => ({ word: one.name(), means: one.description() })), ...own, ...asked].filter(fits);
}

/** Where a line stands: its command, the arguments of it that are there, and the option that wants a value next. */
type Place = { command: Command; given: string[]; option: Option | null; isOver: boolean };

function placeOf(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, given: [], option: null, isOver: false };
  for (const word of words) {
    if (word === "=") continue; // I3
    if (place.option !== null) place.option = null;
    else if (place.isOver) place.given.push(word);
    else if (word === "--") place.isOver = true;
    else if (word.startsWith("-")) {
      const option = word.includes("=") ? undefined : optionNamed(place.command, word);
      place.option = option?.required === true ? option : null;
    } else {
      const below = place.command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (below === undefined || place.given.length > 0) place.given.push(word);
      else place.command = below;
    }
  }
  return place;
}

const optionNamed = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name);

/** Of an option that takes one. */
async function valuesOf({ argChoices, flags, long }: Option, known: Known): Promise<Candidate[]> {
  if (argChoices !== undefined) return argChoices.map((word) => ({ word, means: "" }));
  const value = /[<[]([\w-]+)/.exec(flags)?.[1];
  return value === undefined ? [] : await known(long === "--input" ? "input" : value);
}

/** The last argument may take all that follow. */
function argumentAt({ registeredArguments }: Command, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
}
