/**
 * Programs that read some of their words, or their input, as code.
 *
 * I1. A word counts where it is what such a program takes as code, also behind programs that start others (`sudo`,
 *     `xargs`, `find -exec`, `docker exec`).
 */
import type { Code } from "./shell-holes.ts";

type Program = {
  names: RegExp;
  /** The word behind such an option is code. */
  option?: RegExp;
  /** What stands in the same word behind such a beginning is code: `python3 -c'…'`. */
  attached?: RegExp;
  /** Options whose next word is no operand. */
  takes?: RegExp;
  /** Which operands are code: those from this one on, or this one alone; none where an option of `option` stands. */
  from?: number;
  only?: number;
  /** It reads code from its input when it has at most so many operands. */
  input?: number;
  language?: "shell";
  mostly?: "words";
  instead: string;
};

const CODE_IN_QUOTES = `… -c '… "$1" …' sh "{{…}}"`;
const VARIABLE = `a variable outside of the quotes, X="{{…}}", and "$X" in single quotes`;
const PROGRAMS: readonly Program[] = [
  {
    names: /^(?:ba|da|a|z|k|mk|fi|c|tc)?sh$/,
    option: /^-[a-zA-Z]*c[a-zA-Z]*$/,
    takes: /^[-+][a-zA-Z]*[oO]$|^--(?:rc|init-)file$/,
    input: 0,
    language: "shell",
    instead: CODE_IN_QUOTES,
  },
  {
    names: /^(?:python|pypy)[\d.]*$/,
    option: /^-[a-zA-Z]*c$/,
    takes: /^-[WX]$/,
    attached: /^-[bBdEhiIOPqsSuvVx]*c(?=.)/s,
    input: 0,
    instead: `python3 -c '… sys.argv[1] …' "{{…}}"`,
  },
  {
    names: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    option: /^(?:-[a-z]*[ep]|--eval|--print|eval)$/,
    attached: /^-(?:e|p|pe)(?=.)/s,
    takes: /^(?:-r|--require|--import)$/,
    input: 0,
    instead: `node -e '… process.argv[1] …' "{{…}}"`,
  },
  {
    names: /^perl[\d.]*$/,
    option: /^-[\w.]*[eE]$/,
    attached: /^-[acfglnpsStTuUwWX\d]*[eE](?=.)/s,
    input: 0,
    instead: `perl -e '… $ARGV[0] …' "{{…}}"`,
  },
  {
    names: /^ruby[\d.]*$/,
    option: /^-[\w.]*e$/,
    attached: /^-[aclnpsSvwy\d]*e(?=.)/s,
    input: 0,
    instead: `ruby -e '… ARGV[0] …' "{{…}}"`,
  },
  {
    names: /^php[\d.]*$/,
    option: /^-[a-z]*r$/,
    attached: /^-[naCqsvw]*r(?=.)/s,
    input: 0,
    instead: `php -r '… $argv[1] …' "{{…}}"`,
  },
  {
    names: /^(?:lua[\d.]*|Rscript|osascript|julia|elixir|groovy)$/,
    option: /^-e$/,
    attached: /^-e(?=.)/s,
    input: 0,
    instead: VARIABLE,
  },
  { names: /^(?:pwsh|powershell)$/, option: /^-(?:c|command)$/i, input: 0, instead: VARIABLE },
  {
    names: /^[gmn]?awk$/,
    option: /^(?:-[ei]|--source)$/,
    attached: /^-e(?=.)/s,
    takes: /^(?:-[Fvf]|--assign|--field-separator|--file)$/,
    only: 0,
    instead: `awk -v x="{{…}}" '… x …'`,
  },
  {
    names: /^g?sed$/,
    option: /^(?:-[a-zA-Z]*e|--expression)$/,
    attached: /^-[bnrEsuz]*e(?=.)/s,
    takes: /^(?:-[a-zA-Z]*f|--file)$/,
    only: 0,
    mostly: "words",
    instead: `awk -v x="{{…}}" '… x …', or an input that takes plain words only (pattern, enum)`,
  },
  { names: /^eval$/, from: 0, language: "shell", instead: "the command without eval" },
  { names: /^trap$/, only: 0, language: "shell", instead: `X="{{…}}"; trap '… "$X" …' EXIT` },
  { names: /^alias$/, from: 0, language: "shell", instead: "a function that takes an argument" },
  { names: /^(?:compgen|complete|bind)$/, from: 0, language: "shell", instead: VARIABLE },
  {
    names: /^(?:mapfile|readarray)$/,
    option: /^-[a-z]*C$/,
    attached: /^-t*C(?=.)/s,
    language: "shell",
    instead: "a fixed callback",
  },
  {
    names: /^ssh$/,
    takes: /^-[a-zA-Z0-9]*[bcDEeFIiJLlmOopQRSWw]$/,
    from: 1,
    input: 1,
    language: "shell",
    instead: `ssh host "… $(printf %q "{{…}}")"`,
  },
  {
    names: /^(?:su|runuser|script|flock|vagrant|nix-shell|devbox)$/,
    option: /^(?:-[a-z]*c|--command|--run)$/,
    attached: /^-[aefqlmp]*c(?=.)/s,
    language: "shell",
    instead: VARIABLE,
  },
  { names: /^(?:watch|parallel)$/, takes: /^-[a-zA-Z]*[nj]$/, from: 0, language: "shell", instead: VARIABLE },
  {
    names: /^env$/,
    option: /^(?:-[a-z0]*S|--split-string)$/,
    attached: /^-[iv0]*S(?=.)/s,
    instead: "the words themselves, without -S",
  },
  { names: /^(?:vim?|nvim|ex)$/, option: /^(?:-c|--cmd)$/, attached: /^(?:-c|\+)(?=.)/s, instead: VARIABLE },
  { names: /^(?:source|\.)$/, input: 0, language: "shell", instead: VARIABLE },
  { names: /^(?:at|batch)$/, input: 9, language: "shell", instead: VARIABLE },
];
/** Programs that start the one that their words name. */
const CARRIERS =
  /^(?:sudo|doas|env|command|builtin|exec|nohup|time|g?timeout|nice|ionice|xargs|find|fd|parallel|watch|flock|setsid|stdbuf|chroot|unshare|nsenter|docker|podman|kubectl|ssh|su|runuser|script|strace|npx|uv|poetry|pipenv|conda|busybox)$/;
/** Their words are words. */
const WRITERS = /^(?:echo|printf|grep|cat)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

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
  if (/^g?make$/.test(name)) return { ...found, words: ofMake(words, head) };
  let programs = 0;
  for (let index = head; index < words.length; index++) {
    const word = base(words[index] ?? "");
    const variable = /^\$/.test(word) && /^-\w*c$/.test(words[index + 1] ?? "");
    const program = PROGRAMS.find(({ names }) => names.test(variable ? "sh" : word));
    if (program === undefined) continue;
    const carried = index === head || CARRIERS.test(name);
    if (!carried && (program.option === undefined || program.only !== undefined)) continue;
    programs += 1;
    if (programs > MAX_PROGRAMS) {
      const code: Code = { why: TOO_MANY, instead: "several commands", language: "other", mostly: "text" };
      for (let rest = index; rest < words.length; rest++) found.words.push({ index: rest, code });
      break;
    }
    read(program, word, words, index, carried, found);
  }
  const replaced = name === "xargs" && words.some((word) => /^(?:-[a-zA-Z]*[Ii]|--replace)/.test(word));
  const [first] = found.words;
  if (replaced && first !== undefined) found.input = first.code;
  return found;
}

function ofMake(words: readonly string[], head: number): CodeWords["words"] {
  const code: Code = {
    why: "make reads the value of a variable as its own language",
    instead: `an environment variable that the recipe reads as "$$X", or an input that takes plain words only`,
    language: "other",
    mostly: "words",
  };
  return words.flatMap((word, index) => (index > head && /^\w+[:+?!]*=/.test(word) ? [{ index, code }] : []));
}

function read(
  { option, attached, takes, from, only, input, language, mostly, instead }: Program,
  name: string,
  words: readonly string[],
  at: number,
  carried: boolean,
  found: CodeWords,
): void {
  const code: Code = {
    why: `${name} reads it as code`,
    instead,
    language: language ?? "other",
    mostly: mostly ?? "text",
  };
  const operands: number[] = [];
  const anywhere = input === undefined && only === undefined;
  let optioned = false;
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index] ?? "";
    const [flag] = /^--?[\w-]+(?==)/.exec(word) ?? [];
    const [head] = attached?.exec(word) ?? [];
    if ((operands.length === 0 || anywhere) && (head !== undefined || option?.test(flag ?? word))) {
      optioned = true;
      if (flag === undefined && head === undefined) index += 1;
      found.words.push({ index, code, ...(head === undefined ? {} : { skip: head.length }) });
      if (language === "shell") found.positional = index + 1;
      else if (only === undefined) return;
      if (language === "shell") return;
    } else if (operands.length === 0 && takes?.test(word)) {
      optioned ||= /f(?:ile)?$/.test(word) && only !== undefined;
      index += 1;
    } else if (word !== "" && (!/^[-+]./.test(word) || operands.length > 0)) operands.push(index);
  }
  if (optioned) return;
  for (const [n, index] of operands.entries()) {
    if (n === only || (from !== undefined && n >= from)) found.words.push({ index, code });
  }
  const fromInput = input !== undefined && carried && operands.filter((index) => words[index] !== "-").length <= input;
  if (fromInput) found.input = code;
}
