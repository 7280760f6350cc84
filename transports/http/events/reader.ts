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
import { BehaviorSubject, finalize, takeWhile } from "rxjs";
import { type Session, troupeError } from "../../../actors/troupe.ts";
import { inSeq } from "../../../projections/shared/in-seq.ts";
import { type SseOptions, sseEvents, sseFault } from "../../../projections/sse/events.ts";
import type { Exchanged } from "../endpoint.ts";

export type ReaderLimits = { heartbeatMs: number; stallMs: number };

const HEAD = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies that gather an answer would keep events back.
  "x-accel-buffering": "no",
};
const HEARTBEAT = new TextEncoder().encode(": still here\n\n");
const NOTHING = new Uint8Array();
/** At most so much is handed over at once, so that a slow reader is no stalled one. */
const PIECE_BYTES = 256 * 1024;

/** Answers with the events of a session's log until the run has ended, or one of both goes. */
export function readEvents(
  session: Pick<Session, "log$">,
  { request, response }: Exchanged,
  options: SseOptions,
  { heartbeatMs, stallMs }: ReaderLimits,
): void {
  response.writeHead(200, HEAD);
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  response.flushHeaders();
  // HTTP/2 does not let its socket be touched.
  if (request.httpVersionMajor === 1) request.socket.setNoDelay(true);
  let rest: Uint8Array = NOTHING;
  let stall: NodeJS.Timeout | undefined;
  let isOver = false;
  const paused$ = new BehaviorSubject(false);
  const waits = (): void => {
    paused$.next(true);
    stall ??= setTimeout(() => response.destroy(), stallMs);
  };
  const send = (): void => {
    while (rest.length > 0) {
      const piece = rest.subarray(0, PIECE_BYTES);
      rest = rest.subarray(PIECE_BYTES);
      if (!response.write(piece)) return waits();
    }
    if (isOver) {
      response.end();
      waits(); // until it has taken the end
    } else paused$.next(false);
  };
  const heart = setInterval(() => {
    if (stall === undefined && !response.write(HEARTBEAT)) waits();
  }, heartbeatMs);
  response.on("drain", () => {
    clearTimeout(stall);
    stall = undefined;
    send();
  });
  const events$ = session
    .log$({ after: options.after, paused$ })
    .pipe(
      inSeq(options.after, "reported"),
      sseEvents(options),
      takeWhile((batch) => !batch.isOver, true),
      finalize(() => clearInterval(heart)),
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
        if (stall === undefined) send();
      },
    });
  response.on("close", () => {
    events$.unsubscribe();
    clearTimeout(stall);
  });
  response.on("error", () => undefined); // its close says the same
}
