/**
 * Few rows in which every two values of different factors meet at least once.
 *
 * I1. Every pair of values of two factors is in some row.
 */
export type Factors = { readonly [name: string]: readonly unknown[] };
export type Rows<F extends Factors> = { [K in keyof F]: F[K][number] }[];
type Row = { [name: string]: unknown };

/** Greedy: each row takes, factor after factor, the value that meets most of what has not met. Always the same rows. */
export function pairwise<F extends Factors>(factors: F): Rows<F> {
  const names = Object.keys(factors);
  const valuesOf = (name: string): readonly unknown[] => factors[name] ?? [];
  const key = (a: string, x: unknown, b: string, y: unknown): string => JSON.stringify([a, x ?? null, b, y ?? null]);
  const open = new Set<string>();
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
  for (const [a, b] of pairs) for (const x of valuesOf(a)) for (const y of valuesOf(b)) open.add(key(a, x, b, y));
  const metBy = (row: Row): string[] =>
    pairs.filter(([a, b]) => a in row && b in row).map(([a, b]) => key(a, row[a], b, row[b]));
  const gain = (row: Row): number => metBy(row).filter((one) => open.has(one)).length;

  const rows: Row[] = [];
  while (open.size > 0) {
    const [first = "[]"] = open;
    const [a, x, b, y] = JSON.parse(first) as [string, unknown, string, unknown];
    const original = (name: string, value: unknown): unknown =>
      valuesOf(name).find((one) => JSON.stringify(one ?? null) === JSON.stringify(value));
    let row: Row = { [a]: original(a, x), [b]: original(b, y) };
    for (const name of names) {
      if (name in row) continue;
      const tried = valuesOf(name).map((value) => ({ ...row, [name]: value }));
      row = tried.reduce((best, one) => (gain(one) > gain(best) ? one : best));
    }
    for (const met of metBy(row)) open.delete(met);
    rows.push(row);
  }
  return rows as Rows<F>;
}
