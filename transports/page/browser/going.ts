/**
 * Going from place to place: the address says where, and what is there is fetched.
 *
 * I1. What the server could not give is asked for again while one stays; what it refuses is not.
 */
import { type PagePlace, placeOf, placeText, type RunPlace } from "../../../projections/page/place.ts";
import { CallFault } from "./calls.ts";
import { loadRuns, loadWorkflow, loadWorkflows } from "./loads.ts";
import { closeMachines, openMachines } from "./observed.ts";
import { closeRun, openRun } from "./opened.ts";
import { attempt, changed, state } from "./state.ts";

/** Goes there, as a step that the browser's own way back takes back. */
export function go(place: PagePlace): void {
  location.hash = placeText(place);
}
/** Changes what the address says of the place that is shown; no step of its own. */
export function adjust(change: Partial<RunPlace>): void {
  if (state.place.view !== "run") return;
  state.place = { ...state.place, ...change };
  noteAddress();
  changed();
}

const AGAIN_MS = 5_000;
let again: ReturnType<typeof setTimeout> | undefined;
let noted: ReturnType<typeof setTimeout> | undefined;
/** Browsers refuse an address that changes many times a second. */
function noteAddress(): void {
  noted ??= setTimeout(() => {
    noted = undefined;
    history.replaceState(null, "", `#${placeText(state.place)}`);
  }, 250);
}

/** What was read for a place. A form must not start what another address names. */
function forgetShown(): void {
  state.listed = null;
  state.warnings = [];
  state.workflow = null;
}

/** Shows what the address says, and nothing of where one was before. */
export function arrive(): void {
  clearTimeout(noted);
  noted = undefined;
  clearTimeout(again);
  const place = placeOf(location.hash);
  if (placeText(place) !== placeText(state.place)) forgetShown();
  state.place = place;
  state.note = null;
  if (place.view !== "run" || state.open?.id !== place.run) closeRun();
  if (place.view !== "machines") closeMachines();
  switch (place.view) {
    case "runs":
      void read(loadRuns);
      break;
    case "run":
      void read(() => openRun(place.run));
      break;
    case "machines":
      openMachines();
      break;
    case "workflows":
      void read(() => loadWorkflows(place.cwd));
      break;
    case "workflow":
      void read(() => loadWorkflow(place));
      break;
    default:
      place satisfies never;
  }
  changed();
}

/** Reads what is shown here (I1). */
async function read(work: () => Promise<unknown>): Promise<void> {
  const { place } = state;
  const fault = await attempt(work);
  if (!(fault instanceof CallFault) || (fault.status < 500 && fault.status !== 429)) return;
  if (placeText(state.place) !== placeText(place)) return;
  clearTimeout(again);
  again = setTimeout(() => {
    closeRun();
    arrive();
  }, AGAIN_MS);
}
