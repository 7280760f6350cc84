/** Says a YAML syntax error in words that help: what the reader most likely meant to write. */
import type { YAMLParseError, YAMLWarning } from "yaml";
import type { YamlFault } from "./fault.ts";
import { lexemesOf } from "./lexemes.ts";
import { slipAt } from "./slips.ts";

const HINTS: { readonly [code: string]: string } = {
  BLOCK_AS_IMPLICIT_KEY: 'a value that holds ": " in quotes, or after "|" on lines of its own',
  MISSING_CHAR: "a closing bracket or quote",
  BAD_INDENT: "the same indentation for all fields of one block",
  TAG_RESOLVE_FAILED: "plain values: tags are not supported",
  MULTILINE_IMPLICIT_KEY: "a colon and a blank behind the key, as in key: value",
  BAD_SCALAR_START: "the whole value in quotes",
};

/** Where the library's own words are about its insides. */
const MESSAGES: { readonly [code: string]: string | undefined } = {
  BLOCK_AS_IMPLICIT_KEY: 'a ": " in this value makes it look like another key and value',
  MULTILINE_IMPLICIT_KEY: "this line is no key with a value",
};

/** Where one code stands for several mistakes: the library's words, ours, and what was meant. */
const BY_WORDS: { readonly [words: string]: { message: string; expected: string } | undefined } = {
  "Sequence item without - indicator": {
    message: "this line stands less deep than the item that it belongs to",
    expected: 'the same indentation as the first field of the item, or "- " before a new one',
  },
  "Unexpected scalar at node end": {
    message: "the value has ended before this text",
    expected: "quotes around the whole value, or none",
  },
  "Block collections are not allowed within flow collections": {
    message: "inside { } or [ ] this value looks like a list, or another key and value, of several lines",
    expected: 'a value that holds ": " or begins with "- " in quotes',
  },
};

/** A value cannot start with braces, nor have them inside a list or map of one line. */
export const QUOTE_BRACES = "a value that holds {{…}} in quotes";

/** A plain value that begins with a star is an alias: most often a pattern of files was meant. */
export const QUOTE_STAR = "a text that begins with * in quotes, or the anchor before its use";

/** What often only follows from an error above it. */
const FOLLOWING = new Set([
  "UNEXPECTED_TOKEN",
  "BAD_INDENT",
  "TAB_AS_INDENT",
  "MISSING_CHAR",
  "BLOCK_AS_IMPLICIT_KEY",
  "MULTILINE_IMPLICIT_KEY",
]);

type Errors = readonly (YAMLParseError | YAMLWarning)[];

/** The faults of a file: of errors that follow from an earlier one only the first. */
export function syntaxFaults(source: string, errors: Errors): YamlFault[] {
  const first = errors.find((error) => FOLLOWING.has(error.code));
  const faults = errors
    .filter((error) => error === first || !FOLLOWING.has(error.code))
    .map((error) => (error === first ? firstFault(source, error, errors) : syntaxFault(source, error)));
  // Two ways to say that one character is wrong.
  const starts = faults.map(({ range }) => range.start);
  return faults.filter((_, index) => starts.indexOf(starts[index] ?? 0) === index);
}

/** The first of those errors may itself follow from what only looks like YAML. */
function firstFault(source: string, error: YAMLParseError | YAMLWarning, errors: Errors): YamlFault {
  const slip = slipAt(source, Math.min(error.pos[0], source.length)) ?? deeperKey(source, error, errors);
  return slip === null ? syntaxFault(source, error) : { code: "WORKFLOW.PARSE.YAML_SYNTAX", ...slip };
}

/** A key that stands deeper than the field above it: YAML takes it for more of that field's value. */
function deeperKey(
  source: string,
  { code, pos: [at] }: Errors[number],
  errors: Errors,
): Omit<YamlFault, "code"> | null {
  if (code !== "BLOCK_AS_IMPLICIT_KEY") return null;
  const joined = errors.find((other) => other.code === "MULTILINE_IMPLICIT_KEY" && other.pos[0] === at);
  if (joined === undefined) return null;
  const line = source.lastIndexOf("\n", joined.pos[1] - 1) + 1;
  const start = line + (/^[ \t]*/.exec(source.slice(line))?.[0].length ?? 0);
  return {
    message: "this line stands deeper than the field above it, whose value it goes on with, and looks like a field too",
    expected: 'the indentation of that field; or, where both lines are one text, "|" behind its colon',
    range: { start, end: Math.max(joined.pos[1], start + 1) },
  };
}

function hintFor(source: string, error: YAMLParseError | YAMLWarning): string | undefined {
  if (source.startsWith("{", error.pos[0]) && source.slice(0, error.pos[1] + 1).endsWith("{{")) return QUOTE_BRACES;
  const closing = closingOf(error);
  if (closing !== null) return `a closing ${closing}, and every line up to it deeper than its field`;
  return Object.hasOwn(HINTS, error.code) ? HINTS[error.code] : undefined;
}

/** The bracket that is missing. */
const closingOf = ({ message }: Errors[number]): string | null => /end with an? ([\]}])$/.exec(message)?.[1] ?? null;

/** The last bracket before `at` that is not closed there. */
function openBefore(source: string, at: number): number {
  const open: number[] = [];
  for (const { text, at: from, plain } of lexemesOf(source)) {
    if (from >= at) break;
    if (plain) continue;
    if (text === "{" || text === "[") open.push(from);
    else if (text === "}" || text === "]") open.pop();
  }
  return open.at(-1) ?? at;
}

/** The library points at the line's start where it means its first character, and behind a text whose end is missing. */
function placeOf(source: string, error: Errors[number]): number {
  const { code, message } = error;
  const [at] = error.pos;
  if (closingOf(error) !== null) return openBefore(source, at);
  if (code === "BAD_INDENT") return at + (/^[ \t]*/.exec(source.slice(at))?.[0].length ?? 0);
  return code === "MISSING_CHAR" && message.includes("quote") ? openedAt(source, at) : at;
}

/** Where the quoted text begins that has no end before `at`. */
function openedAt(source: string, at: number): number {
  let opened = at;
  for (const lexeme of lexemesOf(source)) {
    if (lexeme.at >= at) break;
    if (lexeme.text.startsWith('"') || lexeme.text.startsWith("'")) opened = lexeme.at;
  }
  return opened;
}

/** A fault from an error or warning of the YAML library; its range always covers at least one character. */
function syntaxFault(source: string, error: YAMLParseError | YAMLWarning): YamlFault {
  const start = Math.min(placeOf(source, error), source.length);
  const isOpen = closingOf(error) !== null;
  const end = isOpen ? start + 1 : Math.max(error.pos[1], start + 1);
  const plain = isOpen
    ? { message: `"${source[start]}" is not closed`, expected: hintFor(source, error) }
    : BY_WORDS[error.message];
  const expected = plain?.expected ?? hintFor(source, error);
  return {
    code: "WORKFLOW.PARSE.YAML_SYNTAX",
    message: plain?.message ?? MESSAGES[error.code] ?? error.message,
    ...(expected === undefined ? {} : { expected }),
    range: { start, end },
  };
}
