/** The session log as ACP views, over time. Sends nothing; cards are paced by the scheduler it is given. */
import { Observable, type SchedulerLike, type Subscription } from "rxjs";
import type { Frame } from "../../machines/exchange.ts";
import { Fold, type FoldOptions } from "./fold.ts";
import type { View } from "./view.ts";

export type AcpViewOptions = FoldOptions & { scheduler: SchedulerLike };

/**
 * One array of views for each batch of frames that shows something, in the same tick, and one when cards that were
 * held back are due (`CARD_INTERVAL_MS`). Each subscription folds for itself.
 */
export function acpUpdates(frames$: Observable<readonly Frame[]>, options: AcpViewOptions): Observable<View[]> {
  const { scheduler } = options;
  return new Observable((reader) => {
    const fold = new Fold(options);
    let waiting: Subscription | null = null;
    const show = (frames: readonly Frame[]): void => {
      const views = fold.take(frames, scheduler.now());
      if (views.length > 0) reader.next(views);
      const due = fold.due();
      if (due === null) {
        waiting?.unsubscribe();
        waiting = null;
      } else waiting ??= scheduler.schedule(showHeld, due);
    };
    const showHeld = (): void => {
      waiting = null;
      show([]);
    };
    const source = frames$.subscribe({ next: show, error: (e) => reader.error(e), complete: () => reader.complete() });
    return () => {
      source.unsubscribe();
      waiting?.unsubscribe();
    };
  });
}
