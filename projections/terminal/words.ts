/** Durations, ages and counts in the words of the terminal. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds as `40ms`, `1.2s`, `3m 5s`, `2h 4m`. */
export function duration(ms: number): string {
  const span = Math.max(0, Math.round(ms));
  if (span < SECOND) return `${span}ms`;
  if (span < MINUTE) return `${(Math.floor(span / 100) / 10).toFixed(1)}s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ${Math.floor((span % MINUTE) / SECOND)}s`;
  return `${Math.floor(span / HOUR)}h ${Math.floor((span % HOUR) / MINUTE)}m`;
}

/** How long something takes so far, in whole seconds: `12s`, `3m 5s`, `2h 4m`. */
export const elapsed = (ms: number): string =>
  ms < MINUTE ? `${Math.max(0, Math.floor(ms / SECOND))}s` : duration(Math.floor(ms / SECOND) * SECOND);

/** How long ago something was, both in milliseconds since the epoch. */
export function age(at: number, now: number): string {
  const span = Math.max(0, now - at);
  if (span < MINUTE) return "just now";
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ago`;
  if (span < DAY) return `${Math.floor(span / HOUR)}h ago`;
  return `${Math.floor(span / DAY)}d ago`;
}

export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
