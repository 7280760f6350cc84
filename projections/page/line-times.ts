/** When the lines of a text came. */

/** `from`: where in the text a piece of it begins that came at `at`; in their order. */
export type PieceTime = { from: number; at: number };

/** For each line when its beginning came. */
export function lineTimes({ text, times }: { text: string; times: readonly PieceTime[] }): number[] {
  const found: number[] = [];
  let piece = 0;
  let from = 0;
  for (let end = 0; end >= 0; from = end + 1) {
    while ((times[piece + 1]?.from ?? Infinity) <= from) piece++;
    found.push(times[piece]?.at ?? 0);
    end = text.indexOf("\n", from);
  }
  return found;
}
