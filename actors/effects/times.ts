/** Times as people and templates see them. */
import { rfc3339 } from "../../machines/workflow/times.ts";

/** A moment to come, for people: as exact as it is near. */
export function momentOf(ms: number, now: number): string {
  const text = rfc3339(ms);
  const [date, time] = [text.slice(0, 10), text.slice(11, 19)];
  if (ms - now < 3_600_000) return `${time} UTC`;
  return ms - now < 24 * 3_600_000 ? `${time.slice(0, 5)} UTC` : `${date} ${time.slice(0, 5)} UTC`;
}

/** Milliseconds in the form of Go's durations: `1h2m3.5s`, `250ms`. */
export function goDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole === 0) return "0s";
  if (whole < 1000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = `${(whole % 60_000) / 1000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
