/**
 * An edit, old beside new.
 *
 * I1. Every line of both texts stands in one row, in order; lines that are the same stand side by side.
 * I2. The cost is bounded: of texts with too many different lines, what differs stands as one piece.
 */

/** A side is null where the other one has a line more. Numbers count from 1. */
export type SideBySide = { old: SideLine | null; fresh: SideLine | null; isSame: boolean };
type SideLine = { number: number; text: string };
/** A run of rows that are the same and far from any change is left out, and counted. */
export type ChangeRow = SideBySide | { left: number };

const MOST_CELLS = 4_000_000;
const AROUND = 3;

export function changeRows(oldText: string | null, newText: string): ChangeRow[] {
  const [old, fresh] = [linesOf(oldText ?? ""), linesOf(newText)];
  let top = 0;
  while (top < old.length && top < fresh.length && old[top] === fresh[top]) top++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - top && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const middle = pairs(old.slice(top, old.length - end), fresh.slice(top, fresh.length - end));
  const rows: SideBySide[] = [];
  let [at, to] = [0, 0];
  const push = (left: string | null, right: string | null): void => {
    rows.push({
      old: left === null ? null : { number: ++at, text: left },
      fresh: right === null ? null : { number: ++to, text: right },
      isSame: left !== null && left === right,
    });
  };
  for (const line of old.slice(0, top)) push(line, line);
  for (const [left, right] of middle) push(left, right);
  for (const line of old.slice(old.length - end)) push(line, line);
  return folded(rows);
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** Lines that go and lines that come stand beside each other, as far as there are both. */
function pairs(old: readonly string[], fresh: readonly string[]): [string | null, string | null][] {
  const same = old.length * fresh.length > MOST_CELLS ? [] : common(old, fresh);
  const found: [string | null, string | null][] = [];
  let [at, to] = [0, 0];
  const until = (oldEnd: number, freshEnd: number): void => {
    while (at < oldEnd || to < freshEnd)
      found.push([at < oldEnd ? (old[at++] ?? null) : null, to < freshEnd ? (fresh[to++] ?? null) : null]);
  };
  for (const [left, right] of same) {
    until(left, right);
    found.push([old[at++] ?? null, fresh[to++] ?? null]);
  }
  until(old.length, fresh.length);
  return found;
}

/** The longest common lines, as places in both. */
function common(old: readonly string[], fresh: readonly string[]): [number, number][] {
  const width = fresh.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      table[i * width + j] =
        old[i] === fresh[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
  const found: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) found.push([i++, j++]);
    else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return found;
}

function folded(rows: readonly SideBySide[]): ChangeRow[] {
  const near = new Set<number>();
  for (const [index, row] of rows.entries())
    if (!row.isSame) for (let by = -AROUND; by <= AROUND; by++) near.add(index + by);
  const shown: ChangeRow[] = [];
  let left = 0;
  for (const [index, row] of rows.entries()) {
    if (!near.has(index)) left++;
    if (left > 0 && (near.has(index) || index === rows.length - 1)) {
      shown.push({ left });
      left = 0;
    }
    if (near.has(index)) shown.push(row);
  }
  return shown;
}
