/** How deep a JSON text is nested, found before it is parsed: what walks a value afterwards may do so by recursion. */

export const MAX_DEPTH = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether arrays and objects stand in each other more than `max` deep. The text may be no JSON at all. */
export function isTooDeep(text: string, max = MAX_DEPTH): boolean {
  // So many brackets need so much text.
  if (text.length <= max) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(text, i + 1);
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > max) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
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
