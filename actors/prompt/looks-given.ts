/** What looks like an input in a command that cannot be read: so that a secret in it is learned all the same. */

/** Looked for once a word: a word of any length may stand there. */
const NAME = String.raw`(?<![\w.-])[\d.-]*([A-Za-z_][\w.-]*)=`;
/** Up to a space, and up to the end of a quote, or of the text where it is not closed. */
const PAIRS = [`["']?([^\\s"']+)`, String.raw`(?="((?:\\[\s\S]|[^"\\])+))`, `(?='([^']+))`].map(
  (value) => new RegExp(NAME + value, "g"),
);

export const looksGiven = (text: string): [name: string, value: string][] =>
  PAIRS.flatMap((pairs) =>
    [...text.matchAll(pairs)].map(([, name = "", value = ""]): [string, string] => [name, value]),
  );
