/**
 * One prompt at a time; the others wait in their order.
 *
 * I1. At most MAX_QUEUED wait; one more is refused with `busy`.
 * I2. Who is cancelled while waiting is not started.
 */
import { ClientError } from "./errors.ts";
import { Semaphore } from "./semaphore.ts";

export const MAX_QUEUED = 16;
/** What a prompt does that finds another one running. */
export type WhenBusy = "queue" | "fail";

export class PromptQueue {
  readonly #gate = new Semaphore(1);

  /** Resolves with the end of the turn, to be called once. */
  begin(whenBusy: WhenBusy, signal: AbortSignal | undefined): Promise<() => void> {
    const { inUse, waiting } = this.#gate;
    if (inUse > 0 && whenBusy === "fail") return Promise.reject(busy("a prompt of this session runs"));
    if (waiting >= MAX_QUEUED) return Promise.reject(busy(`${waiting} prompts wait already`));
    return this.#gate.acquire(signal);
  }
}

const busy = (why: string): ClientError => new ClientError("busy", `the prompt was not sent: ${why}`);
