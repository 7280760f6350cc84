/**
 * One reader of changes.
 *
 * I1. It hears at most once in EVERY_MS, however much changes, and once more for what came meanwhile.
 * I2. One that takes nothing gets nothing, and is cut off after `stallMs`; one that takes something again hears of what
 *     came meanwhile.
 */
import type { Exchanged } from "../endpoint.ts";
import { type EventStream, eventStream, isHeadAlone, type ReaderLimits } from "./stream.ts";

const EVERY_MS = 500;

/** `watch` begins to listen and answers what ends that. */
export function tellChanges(
  watch: (changed: () => void) => () => void,
  exchanged: Exchanged,
  limits: ReaderLimits,
): void {
  if (isHeadAlone(exchanged)) return;
  let stream: EventStream | undefined;
  let rest: NodeJS.Timeout | undefined;
  let isDue = false;
  const tell = (): void => {
    if (stream === undefined || stream.isFull) return; // told once it takes something again
    isDue = false;
    stream.write("event: changed\ndata: {}\n\n");
    rest = setTimeout(() => {
      rest = undefined;
      if (isDue) tell();
    }, EVERY_MS);
  };
  const look = (): void => {
    if (isDue && rest === undefined) tell();
  };
  // Where nothing can be heard this throws, and is answered with a problem.
  const unwatch = watch(() => {
    isDue = true;
    look();
  });
  const gone = (): void => {
    unwatch();
    clearTimeout(rest);
  };
  stream = eventStream(exchanged, limits, { free: look, gone });
  look();
}
