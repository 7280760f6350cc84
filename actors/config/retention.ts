/** How much of the past is kept: words of a person, as of the file and of the command line. */
import type { Retention } from "../api/upkeep.ts";

const DAY_MS = 86_400_000;
const AGE_MS: { readonly [unit: string]: number } = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS };
const BYTES: { readonly [unit: string]: number } = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

export const AGE_FORM = "a number with h, d, w or y, as 90d";
export const SIZE_FORM = "a number with KB, MB or GB, as 2GB";

/** Milliseconds, or null where it is none. */
export const ageOf = (text: string): number | null => withUnit(text, AGE_MS);
/** Bytes, or null where it is none. */
export const sizeOf = (text: string): number | null => withUnit(text.toUpperCase(), BYTES);

function withUnit(text: string, units: { readonly [unit: string]: number }): number | null {
  const [, number = "", unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?) ?([a-zA-Z]{1,2})$/.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return factor === undefined ? null : Number(number) * factor;
}

type Given<T> = T | null | undefined;
/** What the file says: each field is checked already. */
export function retentionFrom(
  given: { max_age?: Given<string>; max_runs?: Given<number>; max_size?: Given<string> } | null,
): Retention {
  const maxAgeMs = ageOf(given?.max_age ?? "");
  const maxBytes = sizeOf(given?.max_size ?? "");
  return {
    ...(maxAgeMs === null ? {} : { maxAgeMs }),
    ...(given?.max_runs == null ? {} : { maxRuns: given.max_runs }),
    ...(maxBytes === null ? {} : { maxBytes }),
  };
}
