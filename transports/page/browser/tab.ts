/**
 * The browser's tab: what its title says.
 *
 * I1. It says so also while the page is hidden, which holds no connection then: one request now and then tells what has
 *     become of what it shows. Nothing is asked about a run that has ended, nor while an answer is on its way.
 * I2. What was read anew meanwhile, as when the page is looked at again, stands.
 */
import { tabTitle } from "../../../projections/page/title.ts";
import { goesOn, withOpen } from "../../../projections/runs/standing.ts";
import { call } from "./calls.ts";
import { MOST_OPEN } from "./loads.ts";
import { type PageRun, state } from "./state.ts";

const SOON_MS = 200;
const GLANCE_MS = 10_000;
let isAsked = false;

/** Writes the title anew, soon. */
export function titled(): void {
  if (isAsked) return;
  isAsked = true;
  setTimeout(() => {
    isAsked = false;
    const { place, open, runs } = state;
    const title = tabTitle(place, { run: open?.record ?? null, runs: runs ?? [] });
    if (document.title !== title) document.title = title;
  }, SOON_MS);
}

/** Until `signal` aborts (I1). */
export function glancing(signal: AbortSignal): void {
  let isOnItsWay = false;
  const timer = setInterval(() => {
    if (document.visibilityState !== "hidden" || isOnItsWay) return;
    isOnItsWay = true;
    const done = (): void => {
      isOnItsWay = false;
    };
    void glance().then(done, done);
  }, GLANCE_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}

async function glance(): Promise<void> {
  const { place, open, runs } = state;
  const record = open?.record;
  if (place.view === "run" && open !== null && record != null && goesOn(record.status)) {
    const found = await call<PageRun>(`/api/runs/${encodeURIComponent(open.id)}`);
    if (open.record === record) open.record = found; // I2
  }
  if (place.view === "runs" && runs !== null) {
    const going = await call<{ runs: PageRun[] }>(`/api/runs?open=true&limit=${MOST_OPEN}`);
    const ended = runs.filter(({ status }) => !goesOn(status));
    if (state.runs === runs) state.runs = withOpen(ended, going.runs); // I2
  }
  titled();
}
