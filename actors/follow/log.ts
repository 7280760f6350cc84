/**
 * A session's log as an Observable: live, woken by the store when others may write, ended with its reason.
 *
 * I1. A reader that says it is paused gets nothing and costs a cursor; when it resumes, rows fill in what it missed.
 */
import { distinctUntilChanged, EMPTY, Observable, type Unsubscribable } from "rxjs";
import type { Frame } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { troupeError } from "../errors/troupe-error.ts";
import type { Host } from "../host/host.ts";
import type { Endings } from "./endings.ts";

/**
 * What says whether a reader is paused: an Observable of any copy of RxJS (the library brings its own, whose class no
 * other is assignable to), or a few lines of one's own.
 */
export type PauseSource = {
  /** From now on `next` hears whether the reader is paused, until what comes back is unsubscribed. */
  subscribe: (told: { next: (isPaused: boolean) => void }) => Unsubscribable;
};

/** How a log is followed. */
export type LogOptions = {
  /** The seq of the last row that the reader has. */
  after?: number;
  /** Back-pressure; what it said last holds. */
  paused$?: PauseSource;
  /** Called before the next tick does anything, once for all readers that name the same function. */
  sent?: () => void;
  /**
   * Only this process writes meanwhile, or the reader hears otherwise of those that do: the store is not watched, and a
   * log that cannot be written is no error here.
   */
  alone?: boolean;
};

/**
 * The frames behind `after`, a batch a tick, rows in the order of their seqs. Follows while it is subscribed. Errors with
 * a `TroupeError` when nothing more will come: the session was deleted, or its log cannot be written, or not be read.
 */
export const logOf = (
  parts: { host: Pick<Host, "follow" | "listen">; endings: Endings },
  session: Key,
  { after = 0, paused$ = EMPTY, sent, alone = false }: LogOptions,
): Observable<readonly Frame[]> =>
  new Observable((reader) => {
    const from = { seq: after, shown: new Map() };
    const follower = parts.host.follow(
      session,
      from,
      (frames) => reader.next(frames),
      sent,
      (error) => reader.error(troupeError(error)),
    );
    reader.add(() => follower.close());
    const said$ = new Observable<boolean>((told) => paused$.subscribe({ next: (isPaused) => told.next(isPaused) }));
    reader.add(
      said$.pipe(distinctUntilChanged()).subscribe((isPaused) => (isPaused ? follower.pause() : follower.resume())),
    );
    if (!alone) reader.add(parts.host.listen());
    reader.add(parts.endings.of(session, (why) => reader.error(why), { ofFaults: !alone }));
  });
