/** One run: graph, timeline and step beside each other, and the slider below. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import type { Ending } from "../../../../projections/page/history.ts";
import { runAt, usageAt } from "../../../../projections/page/moment.ts";
import type { RunPlace } from "../../../../projections/page/place.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { durationText, takenText, usageText } from "../../../../projections/page/spoken.ts";
import { goesOn } from "../../../../projections/runs/standing.ts";
import { call } from "../calls.ts";
import { exportRun } from "../export.ts";
import { addressesOf, nowIn, wayToNow } from "../following.ts";
import { adjust } from "../going.ts";
import { momentNow, stepShown } from "../opened.ts";
import { attempt, DOING, type OpenRun, type Pane, state } from "../state.ts";
import { againView, askAgain } from "./again.ts";
import { asks } from "./ask.ts";
import { runGraph } from "./graph.ts";
import { haltedAt, haltView } from "./halt.ts";
import { timeline } from "./lanes.ts";
import { folderOf, lacking, stateChip } from "./marks.ts";
import { scrubber } from "./scrub.ts";
import { stepView } from "./step.ts";
import { tabsView } from "./tabs.ts";

const PANES: { readonly [pane in Pane]: string } = { graph: "Graph", timeline: "Timeline", step: "Step" };

type Ended = Pick<Ending<"run.completed">["said"], "message" | "error" | "status">;

export function runView(run: OpenRun, { step: address, line }: RunPlace): TemplateResult {
  const { history, record } = run;
  if (history.steps.length === 0 && history.head < history.first)
    return lacking("Run", record === null ? "Looking for the run…" : "Reading its log…");
  const moment = momentNow(run);
  const choose = (chosen: string): void => {
    run.pane = "step";
    adjust({ step: chosen, line: null });
  };
  const step = stepShown(run, address, moment);
  const chosen = step?.address ?? null;
  const seen = { run, moment, chosen, choose, now: addressesOf(nowIn(run, moment)) };
  const status = runAt(history, run.id, moment) ?? "running";
  const began = history.begun.get(run.id)?.at ?? moment.at;
  const end = history.ended.get(run.id);
  const until = end !== undefined && end.seq <= moment.seq ? end.at : moment.at;
  const usage = usageText(usageAt(history.steps, moment));
  return html`<main class="run">
    <header class="run-head">
      <a class="back" href="#/" aria-label="All runs">‹</a>
      <div><h1>${visible(record?.workflow ?? "")}</h1><p class="facts">${stateChip(record?.status === "parked" && moment.isEnd ? "parked" : status)}<span>${durationText(until - began)}</span>${usage === "" ? nothing : html`<span>${usage}</span>`}<span class="folder-name" title=${record?.cwd ?? ""}>${folderOf(record?.cwd ?? "")}</span>${record?.startedBy === undefined ? nothing : html`<span>by ${visible(record.startedBy)}</span>`}<span class="id">${run.id}</span>${kin(run)}</p></div>
      <div class="acts">${acts(run)}</div>
    </header>
    ${moment.isEnd ? nothing : html`<p class="past" role="status">As it was at row ${moment.seq}.</p>`}
    ${asks(run, moment)}${moment.isEnd ? haltView(run) : nothing}${againView(run)}
    ${end !== undefined && end.seq <= moment.seq ? ending(end.said) : nothing}
    ${run.isOpenEnded ? html`<p class="ending">This file ends before the run does, and does not say what became of it: it may have gone on.</p>` : nothing}
    ${tabsView({
      ...{ row: "pane-tabs", about: "Panes", names: PANES, chosen: run.pane },
      choose: (pane) => {
        run.pane = pane;
        state.isFollowed = true; // it was not drawn until now
      },
    })}
    <div class="panes on-${run.pane}">
      <section class="pane graph-pane" aria-label="Graph">${runGraph(seen)}${wayToNow(run)}</section>
      <section class="pane timeline-pane" tabindex="0" aria-label="Timeline">${timeline(seen)}${wayToNow(run)}</section>
      <section class="pane step-pane" aria-label="Step">${step === undefined ? html`<p class="hint">No step has begun yet.</p>` : stepView({ run, step, moment, line })}</section>
    </div>
    ${scrubber(run, moment)}
  </main>`;
}

/** What its last state says, and what went wrong. That somebody has cancelled it is no fault. */
function ending({ message, error, status }: Ended): TemplateResult {
  const said = [message ?? "", error?.message ?? ""].filter((text) => text !== "").map(visible);
  if (said.length === 0) return html``;
  return html`<p class=${error === undefined || status === "cancelled" ? "ending" : "fault"}>${said.join(said.some((text) => text.includes("\n")) ? "\n" : " · ")}</p>`;
}

/** The run that it does again. */
function kin({ id, history }: OpenRun): TemplateResult | typeof nothing {
  const rerun = history.begun.get(id)?.said.rerun;
  return rerun === undefined
    ? nothing
    : html`<span class="again-of">again <a href="#/run/${encodeURIComponent(rerun.run)}">${rerun.run}</a>${takenText(rerun)}</span>`;
}

function acts(run: OpenRun): TemplateResult {
  const { record, isOffline } = run;
  if (record === null || isOffline) return html``;
  const path = `/api/runs/${encodeURIComponent(run.id)}`;
  const post = (what: keyof typeof DOING, body?: object) => () =>
    attempt(async () => {
      state.note = DOING[what];
      await call(`${path}/${what}`, { method: "POST", ...(body === undefined ? {} : { body }) });
    });
  const hasEnded = record.endedAt !== null;
  const isOpen = goesOn(record.status);
  return html`${isOpen ? html`<button class="quiet" ?disabled=${state.isBusy} @click=${post("cancel")}>Cancel</button>` : nothing}
    ${record.status === "interrupted" && record.resumable && haltedAt(run) === null ? html`<button class="primary" ?disabled=${state.isBusy} @click=${post("resume", { recover: "rerun" })}>Resume, run the step again</button><button class="quiet" ?disabled=${state.isBusy} @click=${post("resume", { recover: "fail" })}>Resume, count it as failed</button>` : nothing}
    ${hasEnded ? html`<button class="quiet" ?disabled=${state.isBusy} @click=${askAgain(run, "")}>Run again</button>` : nothing}
    <a class="button quiet" href="#/workflow/${encodeURIComponent(record.workflow)}?cwd=${encodeURIComponent(record.cwd)}">Workflow</a>
    <button class="quiet" @click=${() => attempt(() => exportRun(run))}>Export</button>`;
}
