/**
 * Which words of a command, and whether its input, a program of it reads as code. The programs are those of
 * `shell-interpreters.ts` and `shell-tools.ts`.
 *
 * I1. A word counts where it is what such a program takes as code, also behind programs that start others (`sudo`,
 *     `xargs`, `find -exec`, `docker exec`).
 */
import type { Code } from "./shell-holes.ts";
import { INTERPRETERS, type Program } from "./shell-interpreters.ts";
import { beginOf, isStarter, startedAt } from "./shell-starters.ts";
import { TOOLS } from "./shell-tools.ts";

/** Programs that start the one that their words name. */
const CARRIERS =
  /^(?:sudo|doas|env|command|builtin|exec|nohup|time|g?timeout|nice|ionice|xargs|find|fd|parallel|watch|flock|setsid|stdbuf|chroot|unshare|nsenter|docker|podman|kubectl|ssh|su|runuser|script|strace|npx|uv|poetry|pipenv|conda|busybox)$/;
/** The names of all interpreters and tools in one: most words are none. */
const NAMES = new RegExp([...INTERPRETERS, ...TOOLS].map(({ names }) => names.source).join("|"));
/** Their words are words. */
const WRITERS = /^(?:echo|printf|grep|cat)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const STARTED: Omit<Code, "why"> = { instead: "the program's name behind it", language: "other", mostly: "text" };
/** A file that is the input. */
const INPUT = /^\/dev\/(?:stdin|fd\/0)$/;

/** So many in one command are read; behind them all is code. */
const MAX_PROGRAMS = 16;
const TOO_MANY = `more than ${MAX_PROGRAMS} words of the command may be programs that read code`;

export type CodeWords = {
  /** `skip`: so many characters of the word stand before the code. */
  words: { index: number; code: Code; skip?: number }[];
  /** From here on words are the positional parameters of a shell's code. */
  positional: number | null;
  /** Why its input is code. */
  input: Code | null;
};

const base = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

/** The words of a simple command, as the shell hands them over, that are code (I1). A template in one is a NUL. */
export function codeIn(words: readonly string[]): CodeWords {
  const found: CodeWords = { words: [], positional: null, input: null };
  const head = words.findIndex((word) => !ASSIGNMENT.test(word));
  const name = base(words[head] ?? "");
  if (head < 0 || WRITERS.test(name)) return found;
  const started = startedAt(words);
  const begins = new Set([head, ...started]);
  // One that names no program starts what is read.
  const open = name === "xargs" ? words[started.at(-1) ?? -1] : undefined;
  if (open !== undefined && isStarter(open))
    found.input = { ...STARTED, why: `xargs hands it to ${base(open)}, which runs it` };
  let programs = 0;
  for (let index = head; index < words.length; index++) {
    const word = base(words[index] ?? "");
    const begun = begins.has(index);
    const variable = word.startsWith("$") && /^-\w*c$/.test(words[index + 1] ?? "");
    if (!variable && !NAMES.test(word)) continue;
    const carried = begun || CARRIERS.test(name);
    const reads = INTERPRETERS.filter(
      ({ names, option, only }) =>
        names.test(variable ? "sh" : word) && (carried || (option !== undefined && only === undefined)),
    );
    if (begun) reads.push(...TOOLS.filter(({ names }) => names.test(word)));
    if (reads.length === 0) continue;
    programs += 1;
    if (programs > MAX_PROGRAMS) {
      const code: Code = { why: TOO_MANY, instead: "several commands", language: "other", mostly: "text" };
      for (let rest = index; rest < words.length; rest++) found.words.push({ index: rest, code });
      break;
    }
    for (const program of reads) {
      read(program, word, words, index, carried, found);
      // What `xargs` reads are words behind these.
      if (name === "xargs" && program.from !== undefined && program.given === undefined)
        found.input ??= codeOf(program, word);
    }
  }
  // So is the code that an option of theirs is to be followed by.
  const behind = found.words.find(({ index }) => index >= words.length);
  if (name === "xargs" && behind !== undefined) found.input ??= behind.code;
  const replaced = name === "xargs" && words.some((word) => /^(?:-[a-zA-Z]*[Ii]|--replace)/.test(word));
  const [first] = found.words;
  if (replaced && first !== undefined) found.input = first.code;
  return found;
}

const codeOf = ({ why, instead, language, mostly }: Program, name: string): Code => ({
  why: why ?? `${name} reads it as code`,
  instead,
  language: language ?? "other",
  mostly: mostly ?? "text",
});

function read(
  program: Program,
  name: string,
  words: readonly string[],
  at: number,
  carried: boolean,
  found: CodeWords,
): void {
  const { option, attached, takes, files, behind, given, unless, from, only, input, always, mixed, language } = program;
  const code = codeOf(program, name);
  const start = beginOf(behind, words, at);
  const operands: number[] = [];
  let [optioned, forced, open] = [false, false, given === undefined];
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index] ?? "";
    const own = operands.length === 0 || mixed === true;
    const [flag] = /^--?[\w-]+(?==)/.exec(word) ?? [];
    const [head] = attached?.exec(word) ?? [];
    forced ||=
      own && ((input !== undefined && INPUT.test(word)) || always?.test(`${word} ${words[index + 1] ?? ""}`) === true);
    open ||= own && given?.test(word) === true;
    if (own && unless?.test(word)) return;
    if (own && (head !== undefined || option?.test(flag ?? word))) {
      optioned = true;
      if (flag === undefined && head === undefined)
        index = program.late ? behindOptions(program, words, index) : index + 1;
      const skip = head?.length ?? 0;
      if (sets(program, (words[index] ?? "").slice(skip))) found.words.push({ index, code, skip });
      for (let more = index + 1; program.rest && more < words.length; more++) found.words.push({ index: more, code });
      if (program.last && language === "shell") found.positional = index + 1;
      if (program.last) return;
    } else if (own && (takes?.test(word) || files?.test(flag ?? word))) {
      optioned ||= files?.test(flag ?? word) === true;
      if (flag === undefined) index += 1;
    } else if (word !== "" && (!/^[-+]./.test(word) || !own)) operands.push(index);
  }
  for (const [n, index] of operands.entries()) {
    if ((n === only && !optioned) || (from !== undefined && n >= from && open)) found.words.push({ index, code });
  }
  const few = input !== undefined && operands.filter((index) => words[index] !== "-").length <= input;
  if (carried && (forced || (few && !optioned))) found.input = code;
}

/** Where the code stands: behind all options that follow the one at `at`. */
function behindOptions({ takes }: Program, words: readonly string[], at: number): number {
  let index = at + 1;
  for (let ends = false; !ends && /^[-+]/.test(words[index] ?? ""); ) {
    const word = words[index] ?? "";
    ends = word === "--" || word === "-";
    index += takes?.test(word) ? 2 : 1;
  }
  return index;
}

/** Whether what an option is given is code. */
function sets({ keys }: Program, text: string): boolean {
  const [key = ""] = text.split(/[=\s]/, 1);
  return keys === undefined || key.includes("\0") || keys.test(key);
}
