/** How long a provider says that it lets nobody in, read from its words. */
import { type Zone, zoneNamed } from "./zones.ts";

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milliseconds?)$/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];
const LEAD = "(?:try again|retry|retry-after|resets?|wait)";
const AMOUNT = String.raw`\d+(?:\.\d+)?\s*(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])`;
const IN = new RegExp(
  String.raw`${LEAD}[\s:-]*(?:in|after|for|until)?[\s:]*(?:about\s+)?((?:${AMOUNT}[\s,]*(?:and\s+)?)+)`,
  "i",
);
const BARE = new RegExp(String.raw`${LEAD}[\s:-]*(?:in|after)?[\s:]*(\d+(?:\.\d+)?)(?![\d.:]|\s*[a-z/])`, "i");
const AT = new RegExp(String.raw`${LEAD}\s+(?:at\s+)?(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))`, "i");
/** `(Europe/Berlin)`, `UTC`. */
const ZONE = String.raw`(?:\.?\s*(?:\((?<place>[A-Za-z][\w+-]*(?:/[\w+-]+)*)\)|(?<utc>UTC|GMT|Z)\b))?`;
const HALF = String.raw`(?<hours>\d{1,2})(?::(?<minutes>\d\d))?\s*(?<half>[ap])\.?m\b${ZONE}`;
/** Without its half of the day it is told from other numbers by its colon. */
const CLOCKS = [
  new RegExp(String.raw`${LEAD}\s+(?:at\s+)?${HALF}`, "i"),
  new RegExp(String.raw`${LEAD}\s+at\s+(?<hours>\d{1,2}):(?<minutes>\d\d)${ZONE}`, "i"),
];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY = String.raw`(?<month>${MONTHS.join("|")})[a-z]*\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<year>\d{4}))?`;
const DATE = new RegExp(String.raw`${LEAD}\s+(?:(?:at|on)\s+)?${DAY},?\s+(?:at\s+)?${HALF}`, "i");
const DAY_MS = 86_400_000;

/** Milliseconds from `now` on; null where the words name no time. */
export function toldPause(words: string, now: number): number | null {
  const spans = IN.exec(words)?.[1];
  if (spans !== undefined) return spanMs(spans);
  const at = AT.exec(words)?.[1];
  if (at !== undefined) return Math.max(0, Date.parse(at) - now);
  const date = DATE.exec(words)?.groups;
  if (date !== undefined) return untilDate(date, now);
  const clock = CLOCKS.map((form) => form.exec(words)?.groups).find((found) => found !== undefined);
  if (clock !== undefined) return untilClock(clock, now);
  const bare = BARE.exec(words)?.[1];
  return bare === undefined ? null : Number(bare) * 1000;
}

function spanMs(spans: string): number {
  let total = 0;
  for (const [, amount = "", unit = ""] of spans.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi))
    total += Number(amount) * (UNITS.find(([name]) => name.test(unit))?.[1] ?? 0);
  return Math.round(total);
}

type Told = { [name: string]: string | undefined };

/** Milliseconds of a day that a clock shows. */
const clockMs = ({ hours, minutes = "0", half }: Told): number => {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return (hour * 60 + Number(minutes)) * 60_000;
};
/** Without a zone it is meant where this machine is. */
const zoneOf = ({ place, utc }: Told): Zone => zoneNamed(place ?? (utc === undefined ? undefined : "UTC"));

/** A time of day: the next one. */
function untilClock(told: Told, now: number): number {
  const { shown, timeOf } = zoneOf(told);
  const at = Math.floor(shown(now) / DAY_MS) * DAY_MS + clockMs(told);
  return (timeOf(at) > now ? timeOf(at) : timeOf(at + DAY_MS)) - now;
}

/** A time of one day; without its year the one that is next, or has just been. */
function untilDate(told: Told, now: number): number {
  const { month = "", day, year } = told;
  const { shown, timeOf } = zoneOf(told);
  const on = (one: number): number =>
    timeOf(Date.UTC(one, MONTHS.indexOf(month.toLowerCase()), Number(day)) + clockMs(told));
  const thisYear = new Date(shown(now)).getUTCFullYear();
  const at = on(year === undefined ? thisYear : Number(year));
  return Math.max(0, (year === undefined && at < now - DAY_MS ? on(thisYear + 1) : at) - now);
}
