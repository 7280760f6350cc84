/**
 * A child that is still being started, as if it ran already.
 *
 * I1. What is written to its input meanwhile reaches it, in order.
 * I2. A wish to end it waits for its start; there is one ladder, however often it is asked for.
 */
import { PassThrough } from "node:stream";
import type { Running, TerminateOptions } from "./running.ts";

/** `coming` never rejects. */
export function later(coming: Promise<Running>, stdin: "ignore" | "pipe"): Running {
  let running: Running | null = null;
  let terminating: Promise<void> | null = null;
  const input = stdin === "pipe" ? new PassThrough() : null;
  input?.on("error", () => undefined);
  const ended = coming.then((one) => {
    running = one;
    if (one.stdin === null) input?.destroy();
    else input?.pipe(one.stdin);
    return one.ended.finally(() => input?.destroy());
  });
  return {
    get pid() {
      return running?.pid ?? null;
    },
    get stdin() {
      return running !== null && running.stdin === null ? null : input;
    },
    ended,
    terminate: (how?: TerminateOptions) => {
      terminating ??= coming.then((one) => one.terminate(how));
      return terminating;
    },
  };
}
