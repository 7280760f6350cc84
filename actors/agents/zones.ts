/** Times on the clocks of a place: this machine's where no zone is named. */
export type Zone = {
  /** What the clocks show at a time, as milliseconds of a day without zones. */
  shown(time: number): number;
  /** The time at which the clocks show this. */
  timeOf(shown: number): number;
};

const MINUTE_MS = 60_000;

/** By a name such as `Europe/Berlin` or `UTC`; this machine's for a name that is none. */
export function zoneNamed(name: string | undefined): Zone {
  const format = name === undefined ? null : formatIn(name);
  const ahead = format === null ? aheadHere : (time: number): number => aheadIn(format, time);
  return {
    shown: (time) => time + ahead(time),
    // What the clocks are ahead by may be another amount at the time that is found so.
    timeOf: (shown) => shown - ahead(shown - ahead(shown)),
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat | null {
  try {
    const two = "2-digit";
    return new Intl.DateTimeFormat("en", {
      ...{ timeZone, hourCycle: "h23", year: "numeric", month: two, day: two, hour: two, minute: two },
    });
  } catch {
    return null;
  }
}

const aheadHere = (time: number): number => -new Date(time).getTimezoneOffset() * MINUTE_MS;

function aheadIn(format: Intl.DateTimeFormat, time: number): number {
  const shown = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(time / MINUTE_MS) * MINUTE_MS;
}
