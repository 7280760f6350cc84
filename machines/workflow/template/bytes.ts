/** The length of a string in UTF-8 bytes, without making the bytes. A lone surrogate counts as three. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += 1;
    if (unit < 0x800) continue;
    bytes += 1;
    if (unit >= 0xd800 && unit < 0xdc00) {
      const low = text.charCodeAt(at + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        // A pair is two units and four bytes: one more for each of the two.
        at += 1;
      }
    }
  }
  return bytes;
}
