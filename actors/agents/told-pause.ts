/** How long a provider says that it lets nobody in, read from its words. */
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
const BARE = new RegExp(String.raw`${LEAD}[\s:-]*(?:in|after)?[\s:]*(\d+(?:\.\d+)?)(?![\d.:]|\s*[a-z])`, "i");
const AT = new RegExp(String.raw`${LEAD}\s+(?:at\s+)?(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))`, "i");
const CLOCK = new RegExp(String.raw`${LEAD}\s+at\s+(\d{1,2}):(\d\d)\s*([ap]m)?`, "i");
const DAY_MS = 86_400_000;

/** Milliseconds from `now` on; null where the words name no time. */
export function toldPause(words: string, now: number): number | null {
  const spans = IN.exec(words)?.[1];
  if (spans !== undefined) return spanMs(spans);
  const at = AT.exec(words)?.[1];
  if (at !== undefined) return Math.max(0, Date.parse(at) - now);
  const clock = CLOCK.exec(words);
  if (clock !== null) return untilClock(clock, now);
  const bare = BARE.exec(words)?.[1];
  return bare === undefined ? null : Number(bare) * 1000;
}

function spanMs(spans: string): number {
  let total = 0;
  for (const [, amount = "", unit = ""] of spans.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi))
    total += Number(amount) * (UNITS.find(([name]) => name.test(unit))?.[1] ?? 0);
  return Math.round(total);
}

/** A time of day where this machine is: the next one. */
function untilClock([, hours, minutes, half]: RegExpExecArray, now: number): number {
  const noon = half === undefined ? 0 : (Number(hours) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const at = new Date(now).setHours(half === undefined ? Number(hours) : noon, Number(minutes), 0, 0);
  return at > now ? at - now : at + DAY_MS - now;
}
