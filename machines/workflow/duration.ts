/** Durations and sizes as AWF users write them. */

const UNIT_MS: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Go's notation (`1m30s`, `1.5h`), or a bare number of seconds in quotes. */
export const DURATION_PATTERN = /^(?:(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|\d+(?:\.\d+)?)$/;

/** Milliseconds of a duration; a bare number is seconds. Null when it is none. */
export function durationMs(value: number | string): number | null {
  if (typeof value === "number") return value * 1_000;
  if (!DURATION_PATTERN.test(value)) return null;
  if (/^[\d.]+$/.test(value)) return Number(value) * 1_000;
  let sum = 0;
  for (const [, amount, unit] of value.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    sum += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  }
  return sum;
}

const UNIT_BYTES: { readonly [unit: string]: number } = { "": 1, B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
export const SIZE_PATTERN = /^(\d+(?:\.\d+)?)\s*([KMG]?)i?(B?)$/i;

/** Bytes of a size such as `10MB`, `512KB` or `1024`; units are powers of 1024. Null when it is none. */
export function sizeBytes(value: number | string): number | null {
  const match = SIZE_PATTERN.exec(String(value));
  if (match === null) return null;
  return Math.floor(Number(match[1]) * (UNIT_BYTES[(match[2] ?? "").toUpperCase()] ?? 1));
}
