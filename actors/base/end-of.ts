/**
 * The end of a text of which no more is kept.
 *
 * I1. It begins with a whole line, where one begins in its first half, else with a whole word: the rest of a secret that was
 *     cut would not be known as one.
 */

/** Not more than `most` units. */
export const endOf = (text: string, most: number): string =>
  text.length <= most ? text : fromWhole(text.slice(-most));

/** A text whose beginning was cut off, from what is whole of it on; all of it where it is one word. */
export function fromWhole(cut: string): string {
  const line = cut.indexOf("\n") + 1;
  if (line > 0 && line <= cut.length / 2) return cut.slice(line);
  const rest = cut.slice(cut.search(/\s/) + 1);
  return rest.trim() === "" ? cut : rest;
}
