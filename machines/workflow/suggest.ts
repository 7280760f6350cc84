/**
 * Owns "did you mean": the nearest known name to a word that is not known.
 *
 * I1. A candidate that differs only in case, underscores or hyphens is nearest.
 * I2. Otherwise at most a third of the word (and at least one letter) may differ, and never all of it.
 */

const LONGEST_WORD = 64;
/** Letters compared with letters: what one call may cost, or all calls of one `Suggestions`. */
const MOST_COMPARED = 1_000_000;

/**
 * The candidate nearest to `word`, or null when none is near enough, or to find it takes more than `most` comparisons
 * of letters. Ties go to the earlier candidate.
 */
export function suggest(word: string, candidates: readonly string[], most: number = MOST_COMPARED): string | null {
  return nearest(word, candidates, { left: most });
}

/** The first candidate that `word` is but for one letter, or two that are swapped; null when there is none. */
export function slipOf(word: string, candidates: readonly string[]): string | null {
  if (word.length < 2 || word.length > LONGEST_WORD) return null;
  const isNear = (other: string): boolean =>
    Math.abs(other.length - word.length) <= 1 && editDistance(word, other) === 1;
  return (
    candidates.find((candidate) => candidate !== word && (fold(candidate) === fold(word) || isNear(candidate))) ?? null
  );
}

/** Suggestions that together cost no more than so much, however many are asked for. */
export class Suggestions {
  readonly #budget = { left: MOST_COMPARED };
  /** As `suggest` does; null too where those before have used up what they may cost together. */
  suggest(word: string, candidates: Iterable<string>): string | null {
    return nearest(word, candidates, this.#budget);
  }
}

function nearest(word: string, candidates: Iterable<string>, budget: { left: number }): string | null {
  if (word.length === 0 || word.length > LONGEST_WORD) return null;
  const folded = fold(word);
  const allowed = Math.min(Math.max(1, Math.floor(folded.length / 3)), folded.length - 1);
  let best: string | null = null;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    budget.left -= 1;
    if (budget.left < 0) return null;
    if (candidate === word || candidate.length > LONGEST_WORD) continue;
    const other = fold(candidate);
    // Each letter that one has more than the other is one that differs.
    if (Math.abs(other.length - folded.length) >= bestDistance) continue;
    budget.left -= other.length * folded.length;
    if (budget.left < 0) return null;
    const distance = editDistance(folded, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll("_", "").replaceAll("-", "");
}

/** Levenshtein distance in UTF-16 units, a swap of two neighbours counting as one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, cell(beforeLast, column - 2) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
