/** A run over time. */

import { repeat } from "lit/directives/repeat.js";
import { html, nothing, type TemplateResult } from "lit/html.js";
import { type Lane, lanesOf, type RoundCell, roundAddress } from "../../../../projections/page/lanes.ts";
import type { RunMoment } from "../../../../projections/page/moment.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { durationText, stateText } from "../../../../projections/page/spoken.ts";
import { startOf } from "../opened.ts";
import { changed, type OpenRun } from "../state.ts";
import { stateMark } from "./marks.ts";

/** `now`: the addresses of what runs now and of all that it is a part of. */
type Timeline = {
  run: OpenRun;
  moment: RunMoment;
  chosen: string | null;
  choose: (address: string) => void;
  now: ReadonlySet<string>;
};
type Scale = (at: number) => number;

export function timeline({ run, moment, chosen, choose, now }: Timeline): TemplateResult {
  const { history } = run;
  const from = startOf(run);
  const last = history.timeAt(history.head);
  const to = Math.max(moment.isAlive && moment.isEnd ? moment.at : last, from + 1);
  const scale: Scale = (at) => Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100));
  const lanes = lanesOf(history, moment, run);
  return html`<div class="lanes" role="table" aria-label="Timeline">
    <div class="lane axis" role="row"><span role="columnheader">step</span><span role="columnheader" class="ticks">${[0, 25, 50, 75].map((at) => html`<i class="tick t${at}">${durationText(((to - from) * at) / 100)}</i>`)}</span><span role="columnheader">time</span></div>
    ${repeat(
      lanes,
      ({ address }) => address,
      (lane) => laneView(lane, { run, scale, chosen, choose, now }),
    )}
  </div>`;
}

type Showing = Omit<Timeline, "moment"> & { scale: Scale };

function laneView(lane: Lane, { run, scale, chosen, choose, now }: Showing): TemplateResult {
  const { address, name, kind, depth, round, item, at, waits, tries, rounds, fold } = lane;
  const toggle = (): void => {
    if (!run.closed.delete(address)) run.closed.add(address);
    changed();
  };
  const place = (start: number, end: number): string =>
    `left:${scale(start)}%;width:${Math.max(0.35, scale(end) - scale(start))}%`;
  return html`<div class="lane ${address === chosen ? "chosen" : ""} ${now.has(address) ? "now" : ""}" role="row" data-address=${address}>
    <span role="cell" class="label" .style=${`padding-left:${depth * 14}px`}>
      ${fold === "none" ? html`<span class="twist"></span>` : html`<button class="twist" aria-expanded=${fold === "open"} aria-label="${fold === "open" ? "fold" : "unfold"} ${visible(name)}" @click=${toggle}>${fold === "open" ? "▾" : "▸"}</button>`}
      <button class="step" @click=${() => choose(address)} aria-current=${address === chosen ? "true" : nothing} aria-label="${visible(name)}${round === null ? "" : `, round ${round}`}, ${stateText(at.state)}">${stateMark(at.state)}<span>${visible(name)}</span>${round === null ? nothing : html`<small>${item === null ? `#${round}` : visible(item)}</small>`}${at.attempts > 1 ? html`<small class="again">×${at.attempts}</small>` : nothing}</button></span>
    <span role="cell" class="track"><span class="bar ${at.state} k-${kind}" .style=${place(at.startedAt, at.until)}></span>${waits.map((wait) => html`<span class="bar asked" title="waited for a person" .style=${place(wait.from, wait.to)}></span>`)}${tries.map((one) => html`<span class="try" title="tried again" .style=${`left:${scale(one)}%`}></span>`)}</span>
    <span role="cell" class="took">${durationText(at.until - at.startedAt)}</span>
    ${rounds.length === 0 ? nothing : roundsView(address, rounds, { run, chosen, choose, depth })}
  </div>`;
}

function roundsView(
  loop: string,
  rounds: readonly RoundCell[],
  { run, chosen, choose, depth }: Omit<Showing, "scale" | "now"> & { depth: number },
): TemplateResult {
  const failed = rounds.filter(({ state }) => state === "failed");
  const open = (cell: RoundCell): void => {
    run.open.add(roundAddress(loop, cell.round));
    choose(cell.address);
  };
  const says = `${rounds.length} ${rounds.length === 1 ? "round" : "rounds"}`;
  return html`<div class="rounds" role="cell" .style=${`padding-left:${depth * 14 + 26}px`}>
    <span class="cells">${rounds.map((cell) => html`<button class="cell ${cell.state} ${cell.address === chosen ? "chosen" : ""}" title="round ${cell.round}${cell.item === null ? "" : ` (${visible(cell.item)})`}: ${stateText(cell.state)}" aria-label="round ${cell.round}${cell.item === null ? "" : ` (${visible(cell.item)})`}, ${stateText(cell.state)}" aria-current=${cell.address === chosen ? "true" : nothing} data-round=${cell.round} @click=${() => open(cell)}></button>`)}</span>
    <span class="sum">${says}${failed.length === 0 ? nothing : html` · <button class="failed-round" @click=${() => open(failed[0] as RoundCell)}>${failed.length === 1 ? `round ${failed[0]?.round} failed` : `${failed.length} failed, first ${failed[0]?.round}`}</button>`}</span></div>`;
}
