/**
 * A child that is still being started, as if it ran already.
 *
 * I1. What is written to its input meanwhile reaches it, in order.
 * I2. A write ends as one to the child itself: what it no longer takes fails, and nobody waits for it.
 * I3. A wish to end it waits for its start; there is one ladder, however often it is asked for.
 */
import { Writable } from "node:stream";
import type { Running, TerminateOptions } from "./running.ts";

/** `coming` never rejects. */
export function later(coming: Promise<Running>, stdin: "ignore" | "pipe"): Running {
  let running: Running | null = null;
  let terminating: Promise<void> | null = null;
  const input = stdin === "pipe" ? inputOf(coming) : null;
  input?.on("error", () => undefined);
  const ended = coming.then((one) => {
    running = one;
    if (one.stdin === null) input?.destroy();
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

const inputOf = (coming: Promise<Running>): Writable =>
  new Writable({
    write: (bytes: Buffer, _, done) =>
      void coming.then(({ stdin }) =>
        stdin === null ? done(new Error("it was not started")) : stdin.write(bytes, done),
      ),
    final: (done) => void coming.then(({ stdin }) => (stdin === null ? done() : stdin.end(done))),
  });
