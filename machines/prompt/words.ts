/**
 * Words as a shell splits them, and what a word is to a command.
 *
 * I1. Quotes and backslashes mean what they mean in a shell, but a backslash stays itself before anything else than
 *     white space, a quote, a backslash, "=" or "-".
 */

export type Word = {
  /** What the word says, without its quotes. */
  text: string;
  /** Where it begins and ends in the source. */
  start: number;
  end: number;
  /** It begins with a backslash: it is text, whatever it looks like. */
  escaped: boolean;
};
export type ReadWord =
  | { ok: true; word: Word }
  | { ok: false /** Where the quote stands that is not closed. */; open: number };

const SPACE = /\s/;
const ESCAPABLE = /[\s"'\\=-]/;

export const isSpace = (character: string | undefined): boolean => character !== undefined && SPACE.test(character);

/** The first place at or behind `at` that is no white space. */
export function skipSpace(source: string, at: number): number {
  let next = at;
  while (isSpace(source[next])) next += 1;
  return next;
}

/** A quoted part that begins at `at`; its text and the place behind it, or null when it is not closed. */
function quoted(source: string, at: number): { text: string; end: number } | null {
  const quote = source[at];
  let text = "";
  for (let next = at + 1; next < source.length; next += 1) {
    const character = source[next] ?? "";
    if (character === quote) return { text, end: next + 1 };
    const after = source[next + 1];
    if (quote === '"' && character === "\\" && (after === '"' || after === "\\")) {
      text += after;
      next += 1;
    } else {
      text += character;
    }
  }
  return null;
}

/** The place behind a quoted part, or null when it is not closed. */
export const quoteEnd = (source: string, at: number): number | null => quoted(source, at)?.end ?? null;

/** The character that a backslash at `at` stands for, or null when the backslash is itself. */
export function escapedAt(source: string, at: number): string | null {
  const after = source[at + 1];
  return source[at] === "\\" && after !== undefined && ESCAPABLE.test(after) ? after : null;
}

/** The word that begins at `start`, which is no white space. */
export function readWord(source: string, start: number): ReadWord {
  const escaped = source[start] === "\\" && start + 1 < source.length && !isSpace(source[start + 1]);
  let at = escaped ? start + 1 : start;
  let text = "";
  if (escaped) {
    text += source[at] ?? "";
    at += 1;
  }
  while (at < source.length && !isSpace(source[at])) {
    const character = source[at] ?? "";
    const plain = escapedAt(source, at);
    if (character === '"' || character === "'") {
      const part = quoted(source, at);
      if (part === null) return { ok: false, open: at };
      text += part.text;
      at = part.end;
    } else if (plain !== null) {
      text += plain;
      at += 2;
    } else {
      text += character;
      at += 1;
    }
  }
  return { ok: true, word: { text, start, end: at, escaped } };
}
