/**
 * Being in, and at the door again.
 *
 * I1. Who is in follows the address and what changes, however that person came in: at once, by a ticket or by a token.
 * I2. Where the server does not know this page any more, the door is shown; who comes in again is where that person was,
 *     with what was typed.
 * I3. Where the server does not answer at all, the door is no answer: it is asked again until it does.
 */
import { call, hear, signIn } from "./calls.ts";
import { arrive } from "./going.ts";
import { loadRuns } from "./loads.ts";
import { closeMachines } from "./observed.ts";
import { closeRun } from "./opened.ts";
import { isReached } from "./reach.ts";
import { changed, state } from "./state.ts";
import { glancing } from "./tab.ts";

const TICK_MS = 1_000;
const SPENT = "The ticket of this address does not count any more: it counts once, for a minute.";
let here = new AbortController();

/** Whether this page is let in: by a ticket, or without one (I3). */
export async function comeIn(ticket: string | undefined): Promise<boolean> {
  for (;;) {
    let isSpent = false;
    try {
      if (await signIn(ticket === undefined ? {} : { ticket })) return true;
      isSpent = ticket !== undefined;
      await call("/api/runs?limit=1");
      return true;
    } catch {
      if (isReached()) {
        if (isSpent) state.note = SPENT;
        return false;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
}

/** Shows what the address says, and follows it from now on (I1). */
export function enter(): void {
  here.abort();
  here = new AbortController();
  const { signal } = here;
  state.isIn = "in";
  const typed = state.open?.drafts ?? new Map();
  // Their streams may be over.
  closeRun();
  closeMachines();
  arrive();
  for (const [step, fields] of typed) state.open?.drafts.set(step, fields);
  window.addEventListener("hashchange", arrive, { signal });
  const tick = setInterval(() => {
    if (document.visibilityState === "visible") changed();
  }, TICK_MS);
  signal.addEventListener("abort", () => clearInterval(tick));
  glancing(signal);
  void followRuns(signal);
}

/** Shows the door (I2). */
export function leave(): void {
  here.abort();
  state.isIn = "out";
  changed();
}

/** The list is read again when something of a run has changed, and the page is looked at. */
async function followRuns(signal: AbortSignal): Promise<void> {
  const told = (): void => {
    if (state.place.view === "runs") void loadRuns().catch(() => undefined);
  };
  document.addEventListener("visibilitychange", told, { signal });
  await hear("/api/changes", { told, signal });
}
