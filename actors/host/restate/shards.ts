/**
 * Where the index of an engine keeps which list: by principal and month, and what is found by a run's id by its first
 * character. Names, no more.
 *
 * I1. A place sorts as its time does: sixteen digits, then what distinguishes those of one time.
 */
const DIGITS = 16;

/** `sessions`, by when they were used; `runs` and those of them that are `open`, by when they began. */
export const monthShard = (principal: string, at: number): string =>
  `month ${new Date(at).toISOString().slice(0, 7)} ${principal}`;
/** Runs that wait to begin. */
export const askedShard = (principal: string): string => `asked ${principal}`;
/** Sessions of runs. */
export const idShard = (run: string): string => `ids ${run.slice(0, 1)}`;

/** I1. */
export const placeAt = (at: number, id: string): string => `${timeOf(at)} ${id}`;
/** Before all places of this time, and after those of earlier ones. */
export const timeOf = (at: number): string => String(at).padStart(DIGITS, "0");

/** What a shard's name says; null for one of ids. */
export function shardNamed(shard: string): { kind: "asked"; principal: string } | MonthShard | null {
  const [kind = "", ...rest] = shard.split(" ");
  if (kind === "asked") return { kind, principal: rest.join(" ") };
  const [month = "", ...principal] = rest;
  return kind === "month" ? { kind, month, principal: principal.join(" ") } : null;
}
export type MonthShard = { kind: "month"; month: string; principal: string };
