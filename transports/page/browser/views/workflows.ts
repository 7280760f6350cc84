/** What can be run, and a run begun by a form; one workflow with its figures and its faults. */

import { html, nothing, type TemplateResult } from "lit/html.js";
import { figuresOf } from "../../../../projections/page/overview.ts";
import { scheduledText } from "../../../../projections/page/scheduled.ts";
import { type Input, visible } from "../../../../projections/page/seen.ts";
import { agoText, durationText, stateText } from "../../../../projections/page/spoken.ts";
import { call } from "../calls.ts";
import { go } from "../going.ts";
import { attempt, type KnownWorkflow, type PageRun, state, type Tree } from "../state.ts";
import { field, valuesIn } from "./fields.ts";
import { stillGraph } from "./graph.ts";
import { lacking, stateMark } from "./marks.ts";

function lookThere(event: SubmitEvent): void {
  event.preventDefault();
  const cwd = String(new FormData(event.target as HTMLFormElement).get("cwd") ?? "");
  go({ view: "workflows", cwd: cwd === "" ? null : cwd });
}

export function workflowsView(cwd: string | null): TemplateResult {
  const { listed, warnings } = state;
  return html`<main class="list"><header class="list-head"><a class="back" href="#/" aria-label="All runs">‹</a><h1>Start a run</h1>
    <form class="elsewhere" @submit=${lookThere}><label><span class="hidden">Directory</span><input name="cwd" placeholder="another directory" .value=${cwd ?? ""}></label><button class="quiet">Look there</button></form></header>
    ${listed === null ? html`<p class="hint">${state.isBusy ? "Looking for workflows…" : "They cannot be shown."}</p>` : nothing}
    <ul class="workflows">${(listed ?? []).map((one) => html`<li><a href="#/workflow/${encodeURIComponent(one.id)}${cwd === null ? "" : `?cwd=${encodeURIComponent(cwd)}`}"><strong>${visible(one.id)}</strong><span>${visible(one.fault?.message ?? one.description)}${scheduled(one.id)}</span></a></li>`)}</ul>
    ${warnings.map((warning) => html`<p class="notice warning">${visible(warning)}</p>`)}</main>`;
}

function scheduled(id: string): TemplateResult | typeof nothing {
  const { isServed, here } = state.schedules;
  const found = here.find(({ workflow }) => workflow === id);
  if (found === undefined) return nothing;
  return html`<small class="starts">${visible(scheduledText(found, { now: state.now, isServed }))}</small>`;
}

export function workflowView(cwd: string | null): TemplateResult {
  const shown = state.workflow;
  if (shown === null) return lacking("Workflow", "Reading the workflow…");
  const { id, known, runs, trees } = shown;
  return html`<main class="list workflow"><header class="list-head"><a class="back" href="#/" aria-label="All runs">‹</a><div><h1>${visible(id)}</h1><p class="facts"><span>${visible(known.workflow?.description ?? "")}</span><span>${known.file ?? ""}</span></p></div></header>
    ${findings(known)}
    <div class="columns"><section class="graph-pane pane" aria-label="Graph">${known.chart === null ? html`<p class="hint">It cannot be drawn.</p>` : stillGraph(known.chart)}</section>
    <div>${form(id, known.workflow?.inputs ?? [], cwd)}${figures(runs, trees)}${last(runs)}</div></div></main>`;
}

const findings = ({ findings: found }: KnownWorkflow): TemplateResult | typeof nothing =>
  found.length === 0
    ? nothing
    : html`<ul class="findings">${found.map(({ severity, line, column, message }) => html`<li class=${severity}><span class="line-at">${line}:${column}</span> ${visible(message)}</li>`)}</ul>`;

function form(id: string, inputs: readonly Input[], cwd: string | null): TemplateResult {
  const start = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = valuesIn(event.target as HTMLFormElement, inputs);
    void attempt(async () => {
      const place = cwd === null ? {} : { cwd };
      const body = { workflow: id, inputs: values, consent: "ask", ...place };
      const { run } = await call<{ run: string }>("/api/runs", { method: "POST", body });
      go({ view: "run", run, step: null, seq: null, line: null });
    });
  };
  return html`<form class="start" @submit=${start}><h2>Start a run</h2>${inputs.map(field)}<p><button class="primary" ?disabled=${state.isBusy}>Start</button></p></form>`;
}

function figures(runs: readonly PageRun[], trees: readonly Tree[]): TemplateResult | typeof nothing {
  const told = figuresOf(
    runs,
    trees.map(({ steps }) => steps),
  );
  if (told.runs === 0) return nothing;
  const time = (ms: number | null): string => (ms === null ? "" : durationText(ms));
  return html`<section><h2>Figures <small>of the last ${told.runs} that completed or failed${told.undone === 0 ? "" : `; ${told.undone} cancelled or skipped`}</small></h2>
    <p class="facts"><span>${Math.round((told.failed / told.runs) * 100)} % failed</span><span>p50 ${time(told.p50)}</span><span>p95 ${time(told.p95)}</span></p>
    <div class="scroll" tabindex="0"><table><thead><tr><th>step</th><th>runs</th><th>failed</th><th>p50</th><th>p95</th></tr></thead><tbody>${told.steps.map((step) => html`<tr><td>${visible(step.name)}</td><td>${step.runs}</td><td>${step.failed}</td><td>${time(step.p50)}</td><td>${time(step.p95)}</td></tr>`)}</tbody></table></div></section>`;
}

const last = (runs: readonly PageRun[]): TemplateResult | typeof nothing =>
  runs.length === 0
    ? nothing
    : html`<section><h2>Last runs</h2><ul class="last">${runs.slice(0, 20).map(({ id, status, startedAt }) => html`<li><a href="#/run/${id}">${stateMark(status)} ${stateText(status)} <small>${agoText(startedAt, state.now)}</small></a></li>`)}</ul></section>`;
