/** The machines of the server at work: which there are, the chart of one, what has passed between them. */
import { repeat } from "lit/directives/repeat.js";
import { html, nothing, type TemplateResult } from "lit/html.js";
import {
  depthOf,
  type EventStep,
  eventText,
  type KnownActor,
  keysWith,
  payloadText,
  senderText,
  shownFirst,
  stateText,
  stepsOf,
} from "../../../../projections/inspection/actors.ts";
import { type MachinesPlace, placeText } from "../../../../projections/page/place.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { chartIn } from "../observed.ts";
import { changed, type OpenMachines, state } from "../state.ts";
import { machineGraph } from "./graph.ts";
import { stateMark } from "./marks.ts";

const MOST_SHOWN = 300;
const MOST_PAYLOAD = 4_000;

export function machinesView(place: MachinesPlace): TemplateResult {
  const { machines } = state;
  const seek = (event: Event): void => {
    state.place = { ...place, search: (event.target as HTMLInputElement).value };
    history.replaceState(null, "", `#${placeText(state.place)}`);
    changed();
  };
  return html`<main class="machines"><header class="list-head"><a class="back" href="#/" aria-label="All runs">‹</a><h1>Machines</h1>
    <label class="search"><span class="hidden">Key</span><input id="search" type="search" placeholder="Key or name  /" .value=${place.search} @input=${seek}></label></header>
    ${machines === null ? nothing : machines.fault === null ? shown(machines, place) : html`<p class="hint">${visible(machines.fault)}</p>`}</main>`;
}

function shown(machines: OpenMachines, place: MachinesPlace): TemplateResult {
  const { actors, steps } = machines.known;
  const keys = keysWith(actors, place.search);
  if (keys.size === 0)
    return html`<p class="hint">${actors.size === 0 ? "No machine has been at work yet." : "No machine is like that."}</p>`;
  const chosen = actors.get(place.key ?? "") ?? actors.get(shownFirst(actors, keys) ?? "");
  const found = stepsOf(steps, keys);
  return html`<div class="machine-panes">
    <nav class="actors" aria-label="Machines"><ul>${repeat(
      keys,
      (key) => key,
      (key) => actorRow(actors.get(key) as KnownActor, { actors, place, isChosen: key === chosen?.key }),
    )}</ul></nav>
    <section class="chart" aria-label="Chart">${chosen === undefined ? nothing : chart(machines, chosen)}</section>
    <section class="sequence" aria-label="Events"><h2>Events <small>${found.length > MOST_SHOWN ? `the last ${MOST_SHOWN} of ${found.length}` : found.length}</small></h2>
      <ol tabindex="0">${repeat(
        found.slice(-MOST_SHOWN),
        ({ n }) => n,
        (step) => stepRow(step, machines, chosen?.key),
      )}</ol></section></div>`;
}

/** States in which a machine only waits. */
const AT_REST: readonly string[] = ["idle", "waiting", "parked", "interrupted"];
function markOf({ isOver, snapshot }: KnownActor): TemplateResult {
  const text = stateText(snapshot.value);
  return stateMark(isOver ? "completed" : AT_REST.includes(text) ? text : "running");
}

type Row = { actors: ReadonlyMap<string, KnownActor>; place: MachinesPlace; isChosen: boolean };
function actorRow(actor: KnownActor, { actors, place, isChosen }: Row): TemplateResult {
  const { key, name, snapshot, isOver } = actor;
  return html`<li .style=${`padding-left:${Math.min(8, depthOf(actors, key)) * 12}px`}><a href="#${placeText({ ...place, key })}" aria-current=${isChosen} class=${isOver ? "over" : ""} title=${key}>
    ${markOf(actor)}<span>${visible(name)}<small>${visible(stateText(snapshot.value))}</small></span></a></li>`;
}

function chart(machines: OpenMachines, { key, name, definition, snapshot }: KnownActor): TemplateResult {
  const made = chartIn(machines, definition);
  return html`<header><h2>${visible(name)}</h2><p class="facts"><span class="chip running">${visible(stateText(snapshot.value))}</span><span class="id">${visible(key)}</span></p></header>
    ${machineGraph(made, snapshot.value)}
    ${made.within.length === 0 ? nothing : html`<details><summary>Arrows within a state <small>${made.within.length}</small></summary><ul class="within">${made.within.map(({ from, to, label }) => html`<li>${visible(from === "" ? "anywhere" : from)} → ${visible(to)} <small>${visible(label)}</small></li>`)}</ul></details>`}
    <details><summary>Snapshot</summary><pre>${visible(JSON.stringify(snapshot, null, 2))}</pre></details>`;
}

function stepRow(step: EventStep, { known: { actors } }: OpenMachines, chosen: string | undefined): TemplateResult {
  const { at, from, to, event, before, after } = step;
  const payload = payloadText(event);
  const isAbout = chosen !== undefined && (from === chosen || to === chosen);
  const states = before === "" || before === after ? (after ?? "…") : `${before} → ${after ?? "…"}`;
  return html`<li class=${isAbout ? "about" : ""}><time>${new Date(at).toISOString().slice(11, 23)}</time>
    <span class="who">${visible(senderText(step, actors))} <i>─▶</i> ${visible(actors.get(to)?.name ?? to)}</span>
    <strong>${visible(eventText(event.type))}</strong><small>${visible(states)}</small>
    ${payload === "" ? nothing : html`<details><summary>payload</summary><pre>${visible(payload.slice(0, MOST_PAYLOAD))}${payload.length > MOST_PAYLOAD ? "…" : ""}</pre></details>`}</li>`;
}
