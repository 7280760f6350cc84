/**
 * Graph and timeline keep in view what a run does: now, or at the row that is shown, as while it is played.
 *
 * I1. A pane follows while its user has not scrolled away from what runs now; who scrolls back to it follows again.
 * I2. What a person has chosen is not left: then, and where a pane was scrolled away, a button leads back.
 */
import { html, nothing, type TemplateResult } from "lit/html.js";
import type { StepHistory } from "../../../projections/page/history.ts";
import type { RunMoment } from "../../../projections/page/moment.ts";
import { adjust } from "./going.ts";
import { stepShown } from "./opened.ts";
import { bring, isSeen, isUsersScroll, noteStanding } from "./scrolled.ts";
import { type OpenRun, type Pane, state } from "./state.ts";

type FollowingPane = Exclude<Pane, "step">;
const ROOMS: { readonly [pane in FollowingPane]: string } = { graph: ".canvas", timeline: ".timeline-pane" };
const FOLLOWING = Object.keys(ROOMS) as FollowingPane[];

/** What runs, or waits: now, or at the row that is shown. Null where the run is over. */
export const nowIn = (run: OpenRun, moment: RunMoment): StepHistory | null =>
  moment.isAlive ? (stepShown(run, null, moment) ?? null) : null;

/** Its address and those of all that it is a part of. */
export function addressesOf(step: StepHistory | null): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (let one = step; one !== null; one = one.above) addresses.add(one.address);
  return addresses;
}

/** Shows what runs now, in each pane. */
export function toNow(run: OpenRun): void {
  run.away.clear();
  adjust({ step: null, seq: null, line: null });
}

/** The way back of a pane; whether it is needed is known once the pane is drawn. */
export const wayToNow = (run: OpenRun): TemplateResult =>
  html`<div class="to-now" hidden><button @click=${(event: Event) => backFrom(run, event)}>To what runs now</button></div>`;
/** The way back of what shows one step. */
export const wayFrom = (run: OpenRun, step: StepHistory, moment: RunMoment): TemplateResult | typeof nothing => {
  const now = moment.isEnd ? nowIn(run, moment) : null;
  return now === null || now === step
    ? nothing
    : html`<button class="from-step" @click=${() => toNow(run)}>To what runs now</button>`;
};

/** The button goes away: what it belongs to has the focus then. */
function backFrom(run: OpenRun, { currentTarget }: Event): void {
  const pane = (currentTarget as Element).closest<HTMLElement>(".pane");
  (pane?.querySelector<HTMLElement>(".canvas") ?? pane)?.focus();
  toNow(run);
}

/** After each drawing (I1). */
export function followNow(page: ParentNode): void {
  const { open: run, place } = state;
  if (run === null || place.view !== "run") return;
  for (const pane of FOLLOWING) {
    const room = page.querySelector(ROOMS[pane]);
    if (room === null || room.clientHeight === 0) continue;
    const now = nowOf(room);
    if (now !== undefined && place.step === null && !run.away.has(pane)) bring(now, room);
    showWay(room, now);
    noteStanding(room);
  }
}

/** Whether its user has left what runs now, or has come back (I1). */
export function onScroll({ target }: Event): void {
  const pane = FOLLOWING.find((one) => target instanceof Element && target.matches(ROOMS[one]));
  const run = state.open;
  if (run === null || pane === undefined) return;
  const room = target as Element;
  const now = nowOf(room);
  if (now === undefined || !isUsersScroll(room)) return;
  if (isSeen(now, room)) run.away.delete(pane);
  else run.away.add(pane);
  showWay(room, now);
}

/** The innermost that is drawn: it may stand in what is folded. */
const nowOf = (room: Element): Element | undefined => [...room.querySelectorAll(".now")].at(-1);

function showWay(room: Element, now: Element | undefined): void {
  const way = room.closest(".pane")?.querySelector<HTMLElement>(".to-now");
  const isNow = state.place.view === "run" && state.place.seq === null;
  if (way != null) way.hidden = !isNow || now === undefined || isSeen(now, room);
}
