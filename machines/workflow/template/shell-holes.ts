/**
 * What the shell lexer reports: the place of each hole of a script, what the place demands of a value, and the words,
 * lines and heredocs that the rules judge.
 *
 * I1. A demand is never lifted: the stricter one stays, in the order of RANK.
 */
export type HolePlace =
  /** Unquoted. `whole`: it must not be split (right of `=` in `export` and its like, within `[ … ]`). */
  | { type: "bare"; whole: boolean }
  | { type: "double"; backslash: boolean }
  | { type: "single"; ansi: boolean }
  | { type: "heredoc"; backslash: boolean }
  /** In a heredoc whose delimiter is quoted: nothing is expanded there, so it is rewritten. */
  | { type: "literal"; heredoc: number }
  | { type: "arithmetic" }
  /** In `{1..9}`: the shell expands braces before variables, so the value itself is written there. */
  | { type: "range" }
  | { type: "comment" }
  | { type: "refused"; why: string };

export type Demand =
  | { type: "none" }
  /** Nothing that a second reading would run: no backtick, no `$(`. */
  | { type: "tame"; why: string }
  /** A plain word, because a program reads the text as code. `quoted`: a word that `escape` made is one there, too. */
  | ({ type: "word"; quoted: boolean } & Omit<Code, "language">)
  /** A plain word that names a program. */
  | { type: "program"; why: string; instead: string }
  | { type: "name"; why: string }
  | { type: "integer"; why: string };

const RANK = ["none", "tame", "word", "program", "name", "integer"];

/** The one that lets fewer values pass (I1). */
export const stricter = (a: Demand, b: Demand): Demand => {
  if (a.type === "word" && b.type === "word") return a.quoted ? b : a;
  return RANK.indexOf(b.type) > RANK.indexOf(a.type) ? b : a;
};

export type Hole = { place: HolePlace; demand: Demand };

/** Half-open, in UTF-16 units of the script with holes. */
export type Span = { start: number; end: number };

export type Heredoc = {
  delimiter: string;
  quoted: boolean;
  /** `<<-`: leading tabs are taken off. */
  strip: boolean;
  /** The delimiter word behind `<<`, as written. */
  word: Span;
  body: Span;
  /** Within `$(…)`, where shells disagree about its end. */
  nested: boolean;
  /** The program that reads the body as code. */
  code: Code | null;
};

/** Why a text is code, and what to write instead of a template in it. */
export type Code = {
  why: string;
  instead: string;
  language: "shell" | "other";
  /** What mostly stands there: plain words (`sed s/…/…/`, `make X=…`), or any text. */
  mostly: "words" | "text";
};

export type ShellWord = Span & {
  /** Without its quotes and holes. */
  text: string;
  /** As the program that gets it reads it: holes are NULs. */
  code: string;
  quoted: boolean;
  holes: number[];
  /** How many of its holes stand before the first `=`; -1 where there is none. */
  equals: number;
  /** The variables, holes and substitutions that were split into it: unquoted ones. */
  bare: { names: string[]; holes: number[]; parts: Span[] };
};
export type Line = {
  start: number;
  words: ShellWord[];
  /** The first words from the command's name on: assignments and what only starts a command left out. */
  heads: ShellWord[];
  /** The letters of its options so far. */
  options: string;
  /** Within `[ … ]`, `[[ … ]]` or `test`. */
  tests: boolean;
  next: "none" | "integer" | "name";
  /** The array whose elements the words are. */
  assigns: string | null;
  /** Where the commands begin whose output it reads. */
  pipe: number | null;
  /** Its here-strings. */
  strings: Span[];
};
