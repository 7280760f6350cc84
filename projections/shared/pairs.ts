/** Where a text may be cut: a character beyond U+FFFF is a pair of UTF-16 units, of which one half is no text. */

/** Whether the index lies between the two halves of a pair. */
export const isInPair = (text: string, index: number): boolean =>
  isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
