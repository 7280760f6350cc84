/** The session log as ACP views, over time. Sends nothing; cards are paced by the scheduler it is given. */
import { defer, EMPTY, filter, map, merge, type SchedulerLike, Subject, switchMap, tap, timer } from "rxjs";
import type { Frame } from "../../machines/exchange.ts";
import { folding, type Projection } from "../shared/projection.ts";
import { Fold, type FoldOptions } from "./fold.ts";
import type { View } from "./view.ts";

export type AcpViewOptions = FoldOptions & { scheduler: SchedulerLike };

const NOTHING: readonly Frame[] = [];

/**
 * One array of views for each batch of frames that shows something, in the same tick, and one when cards that were
 * held back are due (`CARD_INTERVAL_MS`). Completes with the log.
 * @example
 * const views$ = session.log$({ after }).pipe(inSeq(after), acpUpdates(options), inOrder(switches, turns$));
 * views$.subscribe((views) => views.forEach((view) => "update" in view && writer.update(session.id, view.update)));
 */
export const acpUpdates =
  ({ scheduler, ...options }: AcpViewOptions): Projection<View[]> =>
  (frames$) =>
    defer(() => {
      /** When cards that are held back are due: milliseconds from now, null where none is. Said when it changes. */
      const held$ = new Subject<number | null>();
      let isWaiting = false;
      const wait = (due: number | null): void => {
        if (isWaiting === (due !== null)) return;
        isWaiting = due !== null;
        held$.next(due);
      };
      const due$ = held$.pipe(
        switchMap((due) => (due === null ? EMPTY : timer(due, scheduler))),
        tap(() => {
          isWaiting = false;
        }),
        map(() => NOTHING),
      );
      const over = (): void => {
        held$.next(null);
        held$.complete();
      };
      return merge(frames$.pipe(tap({ complete: over })), due$).pipe(
        folding(
          () => new Fold(options),
          (fold, frames: readonly Frame[]) => {
            const views = fold.take(frames, scheduler.now());
            wait(fold.due());
            return views;
          },
        ),
        filter((views) => views.length > 0),
      );
    });
