/** How deep a JSON text is nested and how much it holds, found before it is parsed: a parsed value costs many times its text. */

export const MAX_DEPTH = 128;
/** Members of objects and items of arrays, all together. */
export const MAX_ENTRIES = 100_000;

export type ShapeFault = "too_deep" | "too_many_entries";
export type ShapeLimits = { maxDepth: number; maxEntries: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * What is wrong with a text's shape, or null: arrays and objects stand in each other more than `maxDepth` deep, or there
 * are more than `maxEntries`. An entry follows a bracket or a comma, so an empty object counts as one. The text may be no
 * JSON at all.
 */
export function shapeFault(text: string, limits: Partial<ShapeLimits> = {}): ShapeFault | null {
  const { maxDepth = MAX_DEPTH, maxEntries = MAX_ENTRIES } = limits;
  // So many brackets, or commas, need so much text.
  if (text.length <= maxDepth && text.length <= maxEntries) return null;
  let depth = 0;
  let entries = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(text, i + 1);
    } else if (unit === COMMA) {
      if (++entries > maxEntries) return "too_many_entries";
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > maxDepth) return "too_deep";
      if (++entries > maxEntries) return "too_many_entries";
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return null;
}

/** The place of the quote that closes a string, or of the text's end. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
