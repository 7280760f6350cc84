/** Where a text stands in another, in whichever case. */

export type Occurrence = { from: number; to: number };

/** The first `most` places, none over another. */
export function occurrences(text: string, wanted: string, most: number): Occurrence[] {
  if (wanted === "") return [];
  const found: Occurrence[] = [];
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  for (const { 0: one, index } of text.matchAll(pattern)) {
    if (found.length === most) break;
    found.push({ from: index, to: index + one.length });
  }
  return found;
}
