/**
 * A prompt that is a command: `/name`, then `--input=k=v`, `--input k=v`, `-i k=v`, `k=v` and free text in any order.
 *
 * I1. parse(print(x)) = x.
 * I2. The first "=" splits; a name given twice is a fault, never the last one wins (T8).
 * I3. Free text needs no quotes: an apostrophe or a dash in a sentence is itself. It ends where an input follows.
 *     A word that begins with a backslash is text, and so is everything behind a "--" of its own.
 */
import type { Fault } from "../model.ts";
import { readProse } from "./prose.ts";
import { decodeWireName, encodeWireName } from "./wire-name.ts";
import { isSpace, readWord, skipSpace, type Word } from "./words.ts";

export type Argument = { name: string; value: string } | { text: string };
/** `name` is canonical. */
export type Command = { name: string; arguments: Argument[] };
export type ParsedCommand = ({ ok: true } & Command) | { ok: false; fault: Fault };

/** Lengths in UTF-16 units. */
export const COMMAND_LIMITS = { text: 1024 * 1024, name: 256, arguments: 256, inputName: 128 } as const;

const PAIR = /^([A-Za-z_][A-Za-z0-9_.-]*)=/;
const OPTION = /^(--input|-i)(=|$)/;
const LONG_OPTION = /^--[A-Za-z]/;
/** What editors make of two hyphens. */
const FANCY_OPTION = /^[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]+(input|i)\b/;

class Refused extends Error {
  readonly fault: Fault;
  constructor(code: string, message: string) {
    super(message);
    this.fault = { code, message };
  }
}

const refuse = (message: string): Refused => new Refused("USER.INPUT.INVALID_FORMAT", message);

class CommandParser {
  readonly #source: string;
  readonly #arguments: Argument[] = [];
  readonly #names = new Set<string>();
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  parse(): Argument[] {
    for (;;) {
      this.#at = skipSpace(this.#source, this.#at);
      if (this.#at >= this.#source.length) return this.#arguments;
      if (this.#arguments.length >= COMMAND_LIMITS.arguments) {
        throw refuse(`a command takes at most ${COMMAND_LIMITS.arguments} arguments`);
      }
      this.#next();
    }
  }

  #next(): void {
    const source = this.#source;
    const first = source[this.#at];
    // Whether a sentence begins here is seen before quotes are read: "don't" has none.
    if (first !== '"' && first !== "'" && first !== "\\" && !isInputLike(source, this.#at)) {
      const prose = readProse(source, this.#at, (at) => isInputAt(source, at));
      this.#at = prose.end;
      this.#arguments.push({ text: prose.text });
      return;
    }
    const word = this.#word();
    if (word.escaped) this.#arguments.push({ text: word.text });
    else if (word.text === "--") this.#rest();
    else if (FANCY_OPTION.test(word.text))
      throw refuse(`"${word.text}" begins with a long dash: write --input=name=value`);
    else if (OPTION.test(word.text)) this.#option(word);
    else if (PAIR.test(word.text)) this.#pair(word.text);
    else if (LONG_OPTION.test(word.text)) throw refuse(unknownOption(word.text));
    else this.#arguments.push({ text: word.text });
  }

  #word(): Word {
    const read = readWord(this.#source, this.#at);
    if (!read.ok) {
      const quote = this.#source[read.open];
      throw refuse(`the quote ${quote} at character ${read.open + 1} is not closed: close it, or write \\${quote}`);
    }
    this.#at = read.word.end;
    return read.word;
  }

  #rest(): void {
    const text = this.#source.slice(this.#at).trim();
    this.#at = this.#source.length;
    if (text !== "") this.#arguments.push({ text });
  }

  #option({ text }: Word): void {
    const equals = text.indexOf("=");
    if (equals >= 0) {
      this.#pair(text.slice(equals + 1), text.slice(0, equals));
      return;
    }
    this.#at = skipSpace(this.#source, this.#at);
    if (this.#at >= this.#source.length) throw refuse(`${text} needs an input: write ${text} name=value`);
    this.#pair(this.#word().text, text);
  }

  #pair(text: string, option?: string): void {
    const equals = text.indexOf("=");
    const name = text.slice(0, equals);
    if (equals < 1) {
      const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
      throw refuse(
        `${option ?? ""} needs name=value, but "${shown}" has ${equals === 0 ? "no name" : 'no "="'}`.trim(),
      );
    }
    if (name.length > COMMAND_LIMITS.inputName) {
      throw refuse(`the name of an input has at most ${COMMAND_LIMITS.inputName} characters`);
    }
    if (this.#names.has(name)) throw refuse(`input "${name}" is given twice: give it once`);
    this.#names.add(name);
    this.#arguments.push({ name, value: text.slice(equals + 1) });
  }
}

const unknownOption = (text: string): string => {
  const name = text.slice(2).split("=")[0] ?? "";
  return `there is no option --${name}: write --input=${name}=value, or put -- before text`;
};

/** The raw beginning of a word, enough to see what it is. */
const head = (source: string, at: number): string => source.slice(at, at + COMMAND_LIMITS.inputName + 16);
const word = (source: string, at: number): string => head(source, at).split(/\s/, 1)[0] ?? "";

/** Whether an input, an option or a separator begins at a place where no sentence runs. */
function isInputLike(source: string, at: number): boolean {
  const raw = word(source, at);
  return raw === "--" || PAIR.test(raw) || OPTION.test(raw) || LONG_OPTION.test(raw) || FANCY_OPTION.test(raw);
}

/** Whether an input begins in the middle of a sentence: `-i` and `--input` count only with one behind them. */
function isInputAt(source: string, at: number): boolean {
  const raw = word(source, at);
  if (PAIR.test(raw)) return true;
  const option = OPTION.exec(raw);
  if (option === null) return false;
  const behind = option[2] === "=" ? at + option[0].length : skipSpace(source, at + raw.length);
  return PAIR.test(head(source, behind).replace(/^["']/, ""));
}

/** Whether a prompt's text is meant as a command. */
export const isCommand = (text: string): boolean => text.trimStart().startsWith("/");

/** Parses a slash command. Never throws. */
export function parseCommand(text: string): ParsedCommand {
  const refused = (code: string, message: string): ParsedCommand => ({ ok: false, fault: { code, message } });
  if (text.length > COMMAND_LIMITS.text) {
    return refused("USER.PROMPT.TOO_LARGE", `the command is longer than ${COMMAND_LIMITS.text} characters`);
  }
  const start = skipSpace(text, 0);
  if (text[start] !== "/") return refused("USER.PROMPT.NO_COMMAND", 'a command begins with "/" and a name');
  let end = start + 1;
  while (end < text.length && !isSpace(text[end])) end += 1;
  const wire = text.slice(start + 1, end);
  if (wire === "") return refused("USER.FACADE.IDENTIFIER_EMPTY", 'there is no name behind "/"');
  const name = wire.length > COMMAND_LIMITS.name ? null : decodeWireName(wire);
  if (name === null) {
    const shown = wire.length > 60 ? `${wire.slice(0, 60)}…` : wire;
    return refused("USER.FACADE.IDENTIFIER_MALFORMED", `"/${shown}" is no command: expected /name or /pack:name`);
  }
  try {
    return { ok: true, name, arguments: new CommandParser(text, end).parse() };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, fault: error.fault };
    throw error;
  }
}

const BARE = /^[A-Za-z0-9_./:,@%+-]+$/;

function quote(text: string): string {
  if (BARE.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function printArgument(argument: Argument): string {
  if ("name" in argument) {
    const { name, value } = argument;
    return PAIR.test(`${name}=`) ? `${name}=${quote(value)}` : `--input=${quote(`${name}=${value}`)}`;
  }
  const { text } = argument;
  const special = PAIR.test(text) || /^[-\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/.test(text);
  if (special) return `\\${text[0]}${text.length > 1 ? quote(text.slice(1)) : ""}`;
  const printed = quote(text);
  // Bare words next to each other would be read as one sentence.
  return printed === text ? `'${text}'` : printed;
}

/** The command as text, in the form that a user would write. */
export function printCommand(command: Command): string {
  return [`/${encodeWireName(command.name)}`, ...command.arguments.map(printArgument)].join(" ");
}
