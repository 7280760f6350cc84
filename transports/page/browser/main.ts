/**
 * The page's program: it signs in, shows what its address says, and follows what changes. Opened as a file with a run in
 * it, it shows that run.
 */
import { render } from "lit/html.js";
import { placeOf } from "../../../projections/page/place.ts";
import type { Recorded } from "../../../projections/page/recorded.ts";
import { whenOut } from "./calls.ts";
import { comeIn, enter, leave } from "./entering.ts";
import { showFound } from "./finding.ts";
import { followNow, onScroll } from "./following.ts";
import { onKey } from "./keys.ts";
import { openRecorded } from "./opened.ts";
import { whenBack } from "./reach.ts";
import { bring } from "./scrolled.ts";
import { changed, drawnBy, state } from "./state.ts";
import { titled } from "./tab.ts";
import { followTails, onTailScroll } from "./tails.ts";
import { openHelp, pageView } from "./views/page.ts";

/** A ticket, and where to go with it. */
const TICKET = /^#open=([\w-]+)(\/.*)?$/;
const CHOSEN = ".runs .chosen, .lane.chosen, .cell.chosen, .node.chosen, .actors [aria-current=true]";

const place = document.querySelector<HTMLElement>("#page");
drawnBy(() => {
  if (place === null) return;
  render(pageView(), place);
  openHelp(place);
  if (state.isFollowed)
    for (const one of place.querySelectorAll(CHOSEN)) {
      const room = one.closest(".canvas, .timeline-pane");
      if (room === null) one.scrollIntoView({ block: "nearest", inline: "nearest" });
      else bring(one, room);
    }
  state.isFollowed = false;
  followNow(place);
  followTails(place);
  showFound(place);
}, titled);
document.addEventListener("keydown", onKey);
for (const heard of [onScroll, onTailScroll])
  document.addEventListener("scroll", heard, { capture: true, passive: true });
const recorded = document.querySelector("#recorded")?.textContent;
if (recorded !== undefined && recorded !== null) showRecorded(JSON.parse(recorded) as Recorded);
else void begin();

async function begin(): Promise<void> {
  const [, ticket, to = "/"] = TICKET.exec(location.hash) ?? [];
  // The ticket goes out of the address before anything else happens.
  if (ticket !== undefined) history.replaceState(null, "", `#${to}`);
  whenOut(leave);
  whenBack(enter);
  if (await comeIn(ticket)) enter();
  else leave();
}

function showRecorded(run: Recorded): void {
  openRecorded(run);
  const arriveHere = (): void => {
    const asked = placeOf(location.hash);
    state.place = asked.view === "run" ? asked : { view: "run", run: run.run, step: null, seq: null, line: null };
    changed();
  };
  state.isIn = "in";
  window.addEventListener("hashchange", arriveHere);
  arriveHere();
}
