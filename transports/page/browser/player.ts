/**
 * Moving through a run's rows: a row back or on, to an end, and play.
 *
 * I1. Play keeps the run's own time, at its speed; what took longer than MOST_WAIT_MS is cut to that.
 */
import { adjust } from "./going.ts";
import { changed, type OpenRun, state } from "./state.ts";

export const SPEEDS = [1, 2, 5, 10, 50] as const;
const MOST_WAIT_MS = 2_000;

/** The row at which the run is shown. */
export function seqOf({ history }: OpenRun): number {
  const seq = state.place.view === "run" ? state.place.seq : null;
  return seq === null ? history.head : Math.max(history.first, Math.min(history.head, seq));
}
/** Shows it at a row; the last one is the live end. */
export function moveTo({ history }: OpenRun, seq: number): void {
  adjust({ seq: seq >= history.head ? null : Math.max(history.first, seq) });
}
export function toEnd(run: OpenRun): void {
  run.isPlaying = false;
  adjust({ seq: null });
}

export function togglePlay(run: OpenRun): void {
  run.isPlaying = !run.isPlaying;
  changed();
  if (!run.isPlaying) return;
  run.away.clear();
  const { history } = run;
  if (seqOf(run) >= history.head) moveTo(run, history.first);
  let last = performance.now();
  let left = 0;
  const tick = (now: number): void => {
    if (!run.isPlaying || state.open !== run) return;
    left += (now - last) * run.speed;
    last = now;
    let seq = seqOf(run);
    for (; seq < history.head; seq++) {
      const wait = Math.min(MOST_WAIT_MS, history.timeAt(seq + 1) - history.timeAt(seq));
      if (wait > left) break;
      left -= wait;
    }
    if (seq >= history.head) return toEnd(run);
    if (seq !== seqOf(run)) moveTo(run, seq);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
