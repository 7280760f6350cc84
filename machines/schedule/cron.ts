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
export const nextTime = (times: readonly ZonedTime[], after: number): number | null => nextOf(cronsOf(times), after);

/** The times after one moment and up to another, so many at most. */
export function timesWithin(
  times: readonly ZonedTime[],
  { after, until }: { after: number; until: number },
  most: number,
) {
  const found: number[] = [];
  const crons = cronsOf(times);
  for (let next = nextOf(crons, after); next !== null && next <= until; next = nextOf(crons, next)) {
    found.push(next);
    if (found.length >= most) break;
  }
  return found;
}

const cronsOf = (times: readonly ZonedTime[]): Cron[] =>
  times.flatMap(({ cron, zone }) => apart(cron).map((one) => of(one, zone)));
function nextOf(crons: readonly Cron[], after: number): number | null {
  const next = crons.flatMap((cron) => cron.nextRun(new Date(after))?.getTime() ?? []);
  return next.length === 0 ? null : Math.min(...next);
}

/** More of them are no times of day: they come every so many minutes or hours. */
const MOST_A_DAY = 12;
/** Several times of day, each by itself: of a list of them none would be known as one where the clock changes (I1). */
function apart(cron: string): string[] {
  const [minute = "", hour = "", ...days] = cron.trim().split(/\s+/);
  const [minutes, hours] = [minute.split(","), hour.split(",")];
  const areTimes = [...minutes, ...hours].every((part) => /^\d{1,2}$/.test(part));
  if (!areTimes || minutes.length * hours.length > MOST_A_DAY) return [cron];
  return hours.flatMap((at) => minutes.map((past) => [past, at, ...days].join(" ")));
}

const of = (cron: string, timezone: string): Cron => new Cron(cron.trim(), { timezone, mode: "5-part" });
