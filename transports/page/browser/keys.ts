/** What the keys do. None is taken while a person types, or from a control that has the focus and means it. */
import { keysWith, shownFirst } from "../../../projections/inspection/actors.ts";
import { lanesOf } from "../../../projections/page/lanes.ts";
import type { MachinesPlace } from "../../../projections/page/place.ts";
import { toNow } from "./following.ts";
import { adjust, go } from "./going.ts";
import { momentNow, stepShown } from "./opened.ts";
import { moveTo, seqOf, toEnd, togglePlay } from "./player.ts";
import { changed, type OpenMachines, type OpenRun, type Pane, state } from "./state.ts";
import { chosenIn, shownRuns } from "./views/runs.ts";

const PANES: { readonly [key: string]: Pane } = { g: "graph", t: "timeline", s: "step" };

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as Element;
  if (event.key === "Escape") {
    // A browser would empty the field that is left.
    event.preventDefault();
    return goBack(target);
  }
  if (target.matches("input, textarea, select") || state.isIn !== "in" || scrolls(target, event)) return;
  if (event.key === "?") state.isHelp = !state.isHelp;
  else if (state.isHelp) return;
  else if (event.key === "/") document.querySelector<HTMLInputElement>("#search")?.focus();
  else if (state.place.view === "runs") return inList(event);
  else if (state.place.view === "machines") return inMachines(event, state.place);
  else if (state.open !== null) return inRun(event, state.open);
  else return;
  event.preventDefault();
  changed();
}

/** Whether an arrow moves what has the focus: what is wider than its place is read no other way by keyboard. */
function scrolls(target: Element, { key }: KeyboardEvent): boolean {
  if (!target.matches('[tabindex="0"]:not(a, button, [role=button])')) return false;
  if (key === "ArrowLeft" || key === "ArrowRight") return target.scrollWidth > target.clientWidth;
  return (key === "ArrowUp" || key === "ArrowDown") && target.scrollHeight > target.clientHeight;
}

function goBack(target: Element): void {
  if (state.isHelp) state.isHelp = false;
  else if (target.matches("input, textarea, select")) (target as HTMLElement).blur();
  else if (state.open?.isOffline !== true) go({ view: "runs", search: "" });
  changed();
}

/** How far down a list a key leads. */
const stepOf = ({ key }: KeyboardEvent): number =>
  key === "j" || key === "ArrowDown" ? 1 : key === "k" || key === "ArrowUp" ? -1 : 0;

function inMachines(event: KeyboardEvent, place: MachinesPlace): void {
  const by = stepOf(event);
  if (by === 0 || state.machines === null) return;
  chooseBeside(state.machines, place, by);
  event.preventDefault();
}

/** The machine above or below the one that is chosen. */
function chooseBeside({ known }: OpenMachines, place: MachinesPlace, by: number): void {
  const keys = [...keysWith(known.actors, place.search)];
  const at = keys.indexOf(place.key ?? shownFirst(known.actors, keys) ?? "");
  const key = keys[Math.max(0, Math.min(keys.length - 1, at + by))];
  if (key === undefined) return;
  state.isFollowed = true;
  go({ ...place, key });
}

function inList(event: KeyboardEvent): void {
  const by = stepOf(event);
  const runs = shownRuns();
  if (by !== 0) {
    const at = runs.findIndex(({ id }) => id === chosenIn(runs)?.id) + by;
    state.chosen = runs[Math.max(0, Math.min(runs.length - 1, at))]?.id ?? null;
    state.isFollowed = true;
    event.preventDefault();
    changed();
  }
  const run = chosenIn(runs);
  const isElsewhere = (event.target as Element).matches("a, button");
  if (event.key === "Enter" && run !== undefined && !isElsewhere)
    go({ view: "run", run: run.id, step: null, seq: null, line: null });
}

function inRun(event: KeyboardEvent, run: OpenRun): void {
  const isOnControl = (event.target as Element).matches("button, a, summary, [role=button]");
  const far = event.shiftKey ? Math.max(1, Math.round((run.history.head - run.history.first) / 100)) : 1;
  const pane = PANES[event.key];
  if (event.key === "ArrowLeft") moveTo(run, seqOf(run) - far);
  else if (event.key === "ArrowRight") moveTo(run, seqOf(run) + far);
  else if (event.key === " " && !isOnControl) togglePlay(run);
  else if (event.key === "l") toEnd(run);
  else if (event.key === "n") toNow(run);
  else if (event.key === "j" || event.key === "k") beside(run, event.key === "j" ? 1 : -1);
  else if (pane !== undefined) focusPane(run, pane, `.${pane}-pane [tabindex="0"], .${pane}-pane`);
  else if (event.key === "f") focusPane(run, "step", "#find");
  else return;
  event.preventDefault();
  changed();
}

function focusPane(run: OpenRun, pane: Pane, what: string): void {
  run.pane = pane;
  state.isFollowed = true; // where the window is narrow, it was not drawn until now
  requestAnimationFrame(() => document.querySelector<HTMLElement>(what)?.focus());
}

function beside(run: OpenRun, by: number): void {
  const moment = momentNow(run);
  const lanes = lanesOf(run.history, moment, run);
  const shown = stepShown(run, state.place.view === "run" ? state.place.step : null, moment);
  const here = lanes.findIndex(({ address }) => address === shown?.address);
  const next = lanes[Math.max(0, Math.min(lanes.length - 1, here + by))];
  if (next === undefined) return;
  state.isFollowed = true;
  adjust({ step: next.address, line: null });
}
