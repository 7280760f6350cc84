/** The numbers of a measure, and their verdict. */
export type Verdict = "ok" | "above the goal" | "missed";
/** One line of the table; all but the verdict as it is printed. */
export type Figure = {
  what: string;
  troupe: string;
  raw: string;
  /** The SDK's example agent, for comparison; only the gates of `usable` and `ws-many` depend on it. */
  sdk: string;
  ratio: string;
  gate: string;
  verdict: Verdict;
};

/** The median; of an even count the lower of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error("no values");
  return middle;
}
/** The median of ratios of values taken one right after the other, so that a noisy moment affects both alike. */
export const pairedRatio = (ours: readonly number[], floor: readonly number[]): number =>
  median(ours.map((value, i) => value / (floor[i] ?? Number.NaN)));

export const milliseconds = (ms: number): string =>
  `${ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms`;
export const times = (ratio: number): string => `${ratio.toFixed(2)}×`;

/** Passes up to `gate`; between `goal` and `gate` it passes and says so. */
export function atMost(value: number, gate: number, goal = gate): Verdict {
  if (value <= goal) return "ok";
  return value <= gate ? "above the goal" : "missed";
}
