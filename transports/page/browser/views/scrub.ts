/** The slider over the rows of a run, and play. */

import { live } from "lit/directives/live.js";
import { html, type TemplateResult } from "lit/html.js";
import type { RunMoment } from "../../../../projections/page/moment.ts";
import { durationText } from "../../../../projections/page/spoken.ts";
import { startOf } from "../opened.ts";
import { moveTo, SPEEDS, seqOf, toEnd, togglePlay } from "../player.ts";
import { changed, type OpenRun } from "../state.ts";

export function scrubber(run: OpenRun, moment: RunMoment): TemplateResult {
  const { first, head } = run.history;
  const from = startOf(run);
  const isLive = moment.isEnd && moment.isAlive && !run.isOffline;
  const says = `row ${moment.seq}, ${durationText(moment.at - from)} after the beginning${moment.isEnd ? ", the end" : ""}`;
  const choose = (event: Event): void => {
    run.speed = Number((event.target as HTMLSelectElement).value);
    changed();
  };
  return html`<footer class="scrub">
    <button class="play" aria-label=${run.isPlaying ? "Pause" : "Play"} @click=${() => togglePlay(run)}>${run.isPlaying ? "❚❚" : "▶"}</button>
    <label><span class="hidden">Speed</span><select @change=${choose}>${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === run.speed}>${speed}×</option>`)}</select></label>
    <label class="slider"><span class="hidden">Row</span><input type="range" min=${first} max=${Math.max(first, head)} .value=${live(String(seqOf(run)))} aria-valuetext=${says} @input=${(event: Event) => moveTo(run, Number((event.target as HTMLInputElement).value))}></label>
    <span class="where" data-seq=${moment.seq}>row ${moment.seq}<small>${durationText(moment.at - from)}</small></span>
    <button class="live ${isLive ? "on" : ""}" aria-pressed=${moment.isEnd} @click=${() => toEnd(run)}>${run.isOffline || !moment.isAlive ? "End" : "Live"}</button>
  </footer>`;
}
