/**
 * A long text, page by page.
 *
 * I1. A page ends with a whole character: half of a surrogate pair is no text that every host can read.
 * I2. The pages, one behind the other, are the text.
 */
import { isInPair } from "../shared/pairs.ts";

export type Page = { text: string; characters: number; next?: number };

/** At most so many UTF-16 units of it from `from` on; `next` is where the one behind it begins. */
export function pageOf(text: string, from: number, most: number): Page {
  const begin = whole(text, from);
  const end = whole(text, begin + most);
  const more = end < text.length ? { next: end } : {};
  return { text: text.slice(begin, end), characters: text.length, ...more };
}

/** Without the first half of a pair whose second is at the index. */
const whole = (text: string, index: number): number => (isInPair(text, index) ? index - 1 : index);

/** The last `most` UTF-16 units of a text, or one less where they would begin with half of a pair. */
export function tailOf(text: string, most: number): string {
  const begin = Math.max(0, text.length - most);
  return text.slice(isInPair(text, begin) ? begin + 1 : begin);
}
