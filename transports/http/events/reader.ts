/**
 * One reader of server-sent events.
 *
 * I1. A reader that does not read pauses the log: rows fill in what it missed, and no more than one batch is
 *     held for it.
 * I2. One that takes nothing for `stallMs` is cut off, at the end of its run too; it comes back with the id of its
 *     last event.
 * I3. When it has gone, nothing of it is left.
 * I4. Where the log cannot be written any more, or the session is deleted, `fault` says so and the stream ends: it
 *     would stay silent.
 */
import { BehaviorSubject, takeWhile } from "rxjs";
import { type Session, troupeError } from "../../../actors/troupe.ts";
import { inSeq } from "../../../projections/shared/in-seq.ts";
import { type SseOptions, sseEvents, sseFault } from "../../../projections/sse/events.ts";
import type { Exchanged } from "../endpoint.ts";
import { eventStream, isHeadAlone, type ReaderLimits } from "./stream.ts";

const NOTHING = new Uint8Array();
/** At most so much is handed over at once, so that a slow reader is no stalled one. */
const PIECE_BYTES = 256 * 1024;

/** Answers with the events of a session's log until the run has ended, or one of both goes. */
export function readEvents(
  session: Pick<Session, "log$">,
  exchanged: Exchanged,
  options: SseOptions,
  limits: ReaderLimits,
): void {
  if (isHeadAlone(exchanged)) return;
  let rest: Uint8Array = NOTHING;
  let isOver = false;
  const paused$ = new BehaviorSubject(false);
  const send = (): void => {
    while (rest.length > 0) {
      const piece = rest.subarray(0, PIECE_BYTES);
      rest = rest.subarray(PIECE_BYTES);
      if (!stream.write(piece)) return;
    }
    if (isOver) stream.end();
    else paused$.next(false);
  };
  const stream = eventStream(exchanged, limits, {
    full: () => paused$.next(true),
    free: send,
    gone: () => events$.unsubscribe(),
  });
  const { request } = exchanged;
  // HTTP/2 does not let its socket be touched.
  if (request.httpVersionMajor === 1) request.socket.setNoDelay(true);
  const events$ = session
    .log$({ after: options.after, paused$ })
    .pipe(
      inSeq(options.after, "reported"),
      sseEvents(options),
      takeWhile((batch) => !batch.isOver, true),
    )
    .subscribe({
      next: (batch) => {
        rest = batch.bytes;
        isOver = batch.isOver;
        send();
      },
      error: (why: unknown) => {
        isOver = true;
        // Half an event may still be waiting.
        rest = Buffer.concat([rest, sseFault(troupeError(why))]);
        if (!stream.isFull) send();
      },
    });
}
