/**
 * Times of a schedule: five fields of cron, in a time zone. Pure: every answer follows from the time that is given.
 *
 * I1. Where a zone's clock leaps over a time, that time is the first moment behind the gap. Where it goes through an
 *     hour twice, a time of day comes once, and what comes every so many minutes or hours keeps its distance.
 * I2. Day and weekday together mean either, as cron has it.
 */
import { Cron } from "croner";
import type { CronTime } from "./starts.ts";

/** As it is reckoned with: in a zone that is known. */
export type ZonedTime = CronTime & { zone: string };

const FIELDS = ["minute", "hour", "day", "month", "weekday"] as const;
const PART = /^(\*|\d{1,2}|[a-z]{3})(-(\d{1,2}|[a-z]{3}))?(\/\d{1,2})?$/i;
/** Far enough for every 29th of February. */
const NEVER_BEFORE = Date.UTC(2000, 0, 1);

/** Why a text is no time of cron; null where it is one. */
export function cronFault(text: string): string | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== FIELDS.length || fields[0] === "") return `expected five fields: ${FIELDS.join(" ")}`;
  const odd = fields.findIndex((field) => field.split(",").some((part) => !PART.test(part)));
  if (odd >= 0) return `the ${FIELDS[odd]} "${fields[odd]}" is no number, name, range or step`;
  try {
    if (of(text, "UTC").nextRun(new Date(NEVER_BEFORE)) === null) return "there is no such day";
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, "");
  }
}

/** Whether there is a time zone of this name. */
export function isZone(name: string): boolean {
  try {
    return name !== "" && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** The first of these times that comes after a moment; null where none ever does. Milliseconds since the epoch. */
export function nextTime(times: readonly ZonedTime[], after: number): number | null {
  const next = times.flatMap(({ cron, zone }) => of(cron, zone).nextRun(new Date(after))?.getTime() ?? []);
  return next.length === 0 ? null : Math.min(...next);
}

/** The times after one moment and up to another, so many at most. */
export function timesWithin(
  times: readonly ZonedTime[],
  { after, until }: { after: number; until: number },
  most: number,
) {
  const found: number[] = [];
  for (let next = nextTime(times, after); next !== null && next <= until; next = nextTime(times, next)) {
    found.push(next);
    if (found.length >= most) break;
  }
  return found;
}

const of = (cron: string, timezone: string): Cron => new Cron(cron.trim(), { timezone, mode: "5-part" });
