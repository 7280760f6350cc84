/**
 * Calls of the engine's admin interface.
 *
 * I1. Of several nodes the first one that answers is taken. One that takes a call and says nothing is passed over: after
 *     PASSED_OVER_MS the next one is asked the same. So only what may be asked twice is asked.
 */
import { setTimeout } from "node:timers/promises";

/** A node that says nothing so long is passed over. */
export const PASSED_OVER_MS = 2_000;
/** Ends after that time, or when it is over. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;
export type Answer = { ok: boolean; status: number; text: string };

/** `admins`: URLs with commas between them. Rejects with what the last of them has said. */
export async function askedAt(
  admins: string,
  path: string,
  options: RequestInit = {},
  pause: Pause = (ms, signal) => setTimeout(ms, null, { signal }),
): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const asking: Promise<Answer>[] = [];
  try {
    for (const admin of admins.split(",")) {
      asking.push(once(`${admin.replace(/\/+$/, "")}${path}`, { ...options, signal }));
      const answered = Promise.any(asking).catch(() => null);
      const paused = pause(PASSED_OVER_MS, signal).then(
        () => null,
        () => null,
      );
      const found = await Promise.race([answered, paused]);
      if (found !== null) return found;
    }
    return await Promise.any(asking);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors.at(-1) : error;
  } finally {
    over.abort();
  }
}

async function once(url: string, options: RequestInit): Promise<Answer> {
  const response = await fetch(url, options).catch((error: unknown) => {
    throw new Error(String(error));
  });
  const { ok, status } = response;
  const text = await response.text();
  if (ok || status === 404) return { ok, status, text };
  throw new Error(`${status} ${text.slice(0, 300)}`);
}
