/**
 * Moving through a run's rows: a row back or on, to an end, and play.
 *
 * I1. Play keeps the run's own time, at its speed; what took longer than MOST_WAIT_MS is cut to that.
 */
import { countUpTo } from "../../../projections/page/moment.ts";
import { adjust } from "./going.ts";
import { changed, type OpenRun, state } from "./state.ts";

export const SPEEDS = [1, 2, 5, 10, 50] as const;
const MOST_WAIT_MS = 2_000;

/** How many rows are shown. */
export function positionOf({ history }: OpenRun): number {
  const seq = state.place.view === "run" ? state.place.seq : null;
  return seq === null ? history.rows.length : countUpTo(history.rows, seq);
}
/** Shows so many rows; all of them is the live end. */
export function moveTo(run: OpenRun, position: number): void {
  const { rows } = run.history;
  const at = Math.max(1, Math.min(rows.length, position));
  adjust({ seq: at >= rows.length ? null : (rows[at - 1]?.seq ?? null) });
}
export function toEnd(run: OpenRun): void {
  run.isPlaying = false;
  adjust({ seq: null });
}

export function togglePlay(run: OpenRun): void {
  run.isPlaying = !run.isPlaying;
  changed();
  if (!run.isPlaying) return;
  if (positionOf(run) >= run.history.rows.length) moveTo(run, 1);
  let last = performance.now();
  let left = 0;
  const tick = (now: number): void => {
    if (!run.isPlaying || state.open !== run) return;
    left += (now - last) * run.speed;
    last = now;
    const { rows } = run.history;
    let position = positionOf(run);
    for (; position < rows.length; position++) {
      const wait = Math.min(MOST_WAIT_MS, (rows[position]?.at ?? 0) - (rows[position - 1]?.at ?? 0));
      if (wait > left) break;
      left -= wait;
    }
    if (position !== positionOf(run)) moveTo(run, position);
    if (position >= rows.length) return toEnd(run);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
