/**
 * Waits until a run wants something of its host: it has ended, is parked, asks for consent, or the time is up.
 *
 * I1. It is read from the log and its state, so it does not matter which process runs it, or started it.
 * I2. Nothing is polled: each look follows a row.
 * I3. A permission that the host has been told of ends no wait again while it is open, where the host says so.
 */
import {
  concatMap,
  defer,
  filter,
  firstValueFrom,
  from,
  fromEvent,
  ignoreElements,
  map,
  merge,
  share,
  tap,
  throwError,
  timer,
} from "rxjs";
import type { Frame } from "../../actors/troupe.ts";
import { type RunProgress, runProgress } from "../../projections/mcp/progress.ts";
import { inSeq } from "../../projections/shared/in-seq.ts";
import type { McpServed } from "./served.ts";
import { hasEnded, type Standing, standing } from "./standing.ts";

export type Waiting = {
  /** Milliseconds; the time with a person is not counted in, since a wait ends when a person is asked. */
  waitMs: number;
  signal: AbortSignal;
  tell: (progress: RunProgress) => void;
  /** Permissions that are waited for (I3). */
  past?: ReadonlySet<string> | undefined;
};
const NONE: ReadonlySet<string> = new Set();
/** `why`: what ended the wait. */
export type Waited = Standing & { why: "ended" | "asked" | "time" };
export class CallCancelled extends Error {}

/** The rows after which a run may stand otherwise. */
const TURNS: ReadonlySet<string> = new Set([
  "turn.completed",
  "run.completed",
  "permission.requested",
  "permission.resolved",
  "input.required",
]);

/** Rejects with `CallCancelled` when the signal comes first. */
export async function awaitRun(
  served: McpServed,
  run: string,
  { waitMs, signal, tell, past = NONE }: Waiting,
): Promise<Waited> {
  if (signal.aborted) throw new CallCancelled();
  const { record, session } = await standing(served, run);
  const asks = ({ record: { status, permissions } }: Standing): boolean =>
    status === "parked" ||
    status === "interrupted" ||
    (status === "waiting" && permissions.some(({ permission }) => !past.has(permission)));
  const look = (): Promise<Standing> => standing(served, run);
  const after = record.firstSeq - 1;
  const frames$ = session.log$({ after }).pipe(inSeq(after), share());
  const turns$ = frames$.pipe(filter((frames) => frames.some((frame) => isTurn(frame))));
  const turnEnd = session.ended();
  const released$ = turnEnd === undefined ? [] : [from(turnEnd.then(() => undefined))];
  const news$ = merge(turns$, ...released$, from([undefined])).pipe(
    concatMap(look),
    filter((one) => hasEnded(one.record) || asks(one)),
    map((one): Waited => ({ ...one, why: hasEnded(one.record) ? "ended" : "asked" })),
  );
  const progress$ = frames$.pipe(runProgress(run), tap(tell), ignoreElements());
  const time$ = timer(waitMs).pipe(
    concatMap(look),
    map((one): Waited => ({ ...one, why: "time" })),
  );
  if (signal.aborted) throw new CallCancelled(); // while it was looked how the run stands
  const cancelled$ = fromEvent(signal, "abort").pipe(concatMap(() => throwError(() => new CallCancelled())));
  return await firstValueFrom(
    merge(
      defer(() => progress$),
      news$,
      time$,
      cancelled$,
    ),
  );
}

export const isTurn = (frame: Frame): boolean => "seq" in frame && TURNS.has(frame.type);
