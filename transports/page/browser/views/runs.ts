/** All runs. */

import { repeat } from "lit/directives/repeat.js";
import { html, nothing, type TemplateResult } from "lit/html.js";
import { runGroups, waitOf } from "../../../../projections/page/overview.ts";
import { placeText } from "../../../../projections/page/place.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { agoText, durationText, stateText, usageText } from "../../../../projections/page/spoken.ts";
import { goesOn } from "../../../../projections/runs/standing.ts";
import { loadMoreRuns } from "../loads.ts";
import { attempt, changed, type PageRun, state } from "../state.ts";
import { folderOf, stateMark } from "./marks.ts";

const STATES = ["", "running", "waiting", "parked", "interrupted", "completed", "failed", "cancelled", "skipped"];

/** In the order in which they are shown. */
export const shownRuns = (): PageRun[] => groups().flatMap(({ runs }) => runs as PageRun[]);
/** The one that the keys have chosen, wherever news have moved it; the first one where it is not shown. */
export const chosenIn = (runs: readonly PageRun[]): PageRun | undefined =>
  runs.find(({ id }) => id === state.chosen) ?? runs[0];
const groups = () => {
  const search = state.place.view === "runs" ? state.place.search : "";
  return runGroups(state.runs ?? [], { search, state: state.filter });
};

export function runsView(search: string): TemplateResult {
  const found = groups();
  const chosen = chosenIn(shownRuns())?.id;
  return html`<main class="list">
    <header class="list-head"><h1>Runs</h1>
      <label class="search"><span class="hidden">Search</span><input id="search" type="search" placeholder="Search  /" .value=${search} @input=${seek}></label>
      <label><span class="hidden">State</span><select @change=${narrow}>${STATES.map((one) => html`<option value=${one} ?selected=${one === state.filter}>${one === "" ? "every state" : stateText(one)}</option>`)}</select></label>
      <a class="button quiet" href="#/machines">Machines</a>
      <a class="button primary" href="#/workflows">Start a run</a></header>
    ${state.runs === null ? html`<p class="hint">Looking for runs…</p>` : found.length === 0 ? html`<p class="hint">${(state.runs ?? []).length === 0 ? "Nothing has been run yet." : isCut() ? `None of the last ${state.most} runs is like that.` : "No run is like that."}</p>` : nothing}
    ${repeat(
      found,
      ({ title }) => title,
      ({ title, runs }) => html`<section class="group"><h2>${title} <small>${runs.length}</small></h2>
      <ul class="runs">${repeat(
        runs,
        ({ id }) => id,
        (run) => row(run as PageRun, run.id === chosen),
      )}</ul></section>`,
    )}
    ${isCut() && found.length > 0 ? html`<p class="hint">Older ones than the last ${state.most}: <code>troupe history --all --limit ${10 * state.most}</code></p>` : nothing}
  </main>`;
}

/** Whether there are older runs than are known here. */
const isCut = (): boolean => (state.runs?.length ?? 0) >= state.most;

function narrow(event: Event): void {
  state.filter = (event.target as HTMLSelectElement).value;
  void attempt(loadMoreRuns);
  changed();
}
function seek(event: Event): void {
  const search = (event.target as HTMLInputElement).value;
  state.place = { view: "runs", search };
  state.chosen = null;
  history.replaceState(null, "", `#${placeText(state.place)}`);
  void attempt(loadMoreRuns);
}

function row(run: PageRun, isChosen: boolean): TemplateResult {
  const tree = state.trees.get(run.id);
  const step = tree?.current.join(", ") ?? "";
  const wait = waitOf(run);
  // When one was cut off, no row says.
  const until = run.endedAt ?? (goesOn(run.status) ? state.now : null);
  return html`<li class=${isChosen ? "chosen" : ""}><a href="#/run/${encodeURIComponent(run.id)}" aria-current=${isChosen ? "true" : nothing}>
    ${stateMark(run.status)}<span class="hidden">${stateText(run.status)}</span>
    <span class="what"><strong>${visible(run.workflow)}</strong>${wait === null ? html`<span class="now">${visible(run.error?.message ?? step)}</span>` : html`<span class="now asks-for">${visible(wait)}</span>`}</span>
    <span class="used">${usageText(tree?.usage ?? { inputTokens: 0, outputTokens: 0, tokens: 0, costs: [] })}</span>
    <span class="took">${until === null ? "" : durationText(until - run.startedAt)}</span>
    <span class="folder" title=${run.cwd}>${folderOf(run.cwd)}${run.startedBy === undefined ? "" : ` · ${visible(run.startedBy)}`}</span>
    <span class="ago">${agoText(run.startedAt, state.now)}</span></a></li>`;
}
