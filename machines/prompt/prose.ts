/**
 * Free text in a command: words as they were typed, with the spaces and line breaks between them.
 *
 * I1. A quote that is closed is kept with its quotes and read as one: an input inside it does not end the text.
 *     One that is not closed is an apostrophe.
 */
import { escapedAt, isSpace, quoteEnd, skipSpace } from "./words.ts";

export type Prose = { text: string; end: number };

/** The text from `start` to the next word that `isInput` says begins an input, or to the end. */
export function readProse(source: string, start: number, isInput: (at: number) => boolean): Prose {
  let text = "";
  let at = start;
  for (;;) {
    const word = readProseWord(source, at);
    text += word.text;
    const next = skipSpace(source, word.end);
    if (next >= source.length || isInput(next)) return { text, end: next };
    text += source.slice(word.end, next);
    at = next;
  }
}

function readProseWord(source: string, start: number): Prose {
  let text = "";
  let at = start;
  // Only a quote at the beginning of a word may hold spaces: elsewhere it is an apostrophe or inches.
  if (source[at] === '"' || source[at] === "'") {
    const end = quoteEnd(source, at);
    if (end !== null) {
      text = source.slice(at, end);
      at = end;
    }
  }
  while (at < source.length && !isSpace(source[at])) {
    const plain = escapedAt(source, at);
    text += plain ?? source[at] ?? "";
    at += plain === null ? 1 : 2;
  }
  return { text, end: at };
}
