/** One step: what it did up to the moment, how it is written, its rows. */

import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { html, nothing, type TemplateResult } from "lit/html.js";
import { beginningAt, hasFailed, rootOf } from "../../../../projections/page/again.ts";
import { type DetailItem, detailOf, type ShownCall } from "../../../../projections/page/detail.ts";
import type { StepHistory } from "../../../../projections/page/history.ts";
import { countUpTo, type RunMoment, stepAt, usageAt, withBelow } from "../../../../projections/page/moment.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { countText, durationText, unansweredText, usageText } from "../../../../projections/page/spoken.ts";
import { inputText } from "../../../../projections/shared/input-text.ts";
import { deedOf } from "../../../../projections/step-kinds.ts";
import { wayFrom } from "../following.ts";
import { adjust } from "../going.ts";
import { fillIn, fillSoon } from "../opened.ts";
import type { OpenRun } from "../state.ts";
import { askAgain, FAILED } from "./again.ts";
import { askedAbout } from "./ask.ts";
import { editView } from "./edit.ts";
import { findView } from "./find.ts";
import { stateChip, timeView } from "./marks.ts";
import { tabsView } from "./tabs.ts";
import { markdown, output } from "./text.ts";

const MOST_ROWS = 300;
const MOST_OF_ROW = 20_000;
const TABS = { activity: "Activity", written: "As written", rows: "Rows" } as const;

type Showing = { run: OpenRun; step: StepHistory; moment: RunMoment; line: string | null };

export function stepView(showing: Showing): TemplateResult {
  const { run, step, moment, line } = showing;
  if (moment.isEnd) fillIn(run, step);
  else fillSoon(run, step);
  const at = stepAt(step, moment);
  if (at === null) return html`<p class="hint">${visible(step.name)} has not begun at this row.</p>`;
  const usage = usageText(usageAt(withBelow(step), moment));
  const isLatest = moment.isEnd && run.tab === "activity" && line === null;
  const grows = isLatest ? (at.state === "running" ? "grows" : "latest") : "";
  const facts = [
    durationText(at.until - at.startedAt),
    ...(at.attempts > 1 ? [`${at.attempts} attempts`] : []),
    ...(at.exitCode === null ? [] : [`exit code ${at.exitCode}`]),
    ...(usage === "" ? [] : [usage]),
  ];
  return html`<header class="step-head"><div class="step-title"><h2>${visible(step.title)}</h2>${wayFrom(run, step, moment)}</div>
    <p class="facts">${stateChip(at.state)}<span>${step.kind.replace("_", " ")}</span><span>${visible(step.address)}</span>${facts.map((fact) => html`<span>${fact}</span>`)}</p>
    ${at.error === null ? nothing : html`<p class="fault">${visible(at.error)}</p>`}
    ${againHere(run, step)}
    <div class="step-tools">${tabsView({
      ...{ row: "tabs", about: "What is shown of the step", names: TABS, chosen: run.tab },
      choose: (tab) => {
        run.tab = tab;
      },
    })}${findView(run)}</div></header>
    <div class="step-body ${grows}" data-shown="${run.tab} ${step.address}" role="tabpanel" tabindex="0" aria-label=${TABS[run.tab]}>${body(showing)}</div>`;
}

/** From what it stands in: failed, that is what is done again of it; else all of it is. */
function againHere(run: OpenRun, step: StepHistory): TemplateResult | typeof nothing {
  if (run.isOffline || run.record?.endedAt == null || step.run !== run.id) return nothing;
  const root = rootOf(step);
  const from = hasFailed(root) ? FAILED : beginningAt(step);
  return html`<p><button class="quiet again-here" @click=${askAgain(run, from)}>${from === FAILED ? "Run again what failed" : `Run again from ${visible(from)}`}</button></p>`;
}

function body(showing: Showing): TemplateResult {
  const { run, step, moment } = showing;
  switch (run.tab) {
    case "activity": {
      const items = detailOf(step, moment);
      if (step.filled !== "whole") return html`<p class="hint">Reading what it did…</p>`;
      if (items.length === 0)
        return html`<p class="hint">${step.end !== null && step.end.seq <= moment.seq ? "It said nothing." : "Nothing was said yet."}</p>`;
      return html`${repeat(
        items,
        ({ seq }) => seq,
        (item) =>
          html`<section class="item i-${item.type}">${run.isTimed && item.type !== "output" ? timeView(item.at) : nothing}${itemView(item, showing)}</section>`,
      )}`;
    }
    case "written":
      return written(showing);
    case "rows": {
      const count = countUpTo(step.rows, moment.seq);
      const rows = step.rows.slice(Math.max(0, count - MOST_ROWS), count);
      return html`${count > MOST_ROWS ? html`<p class="cut">${count - MOST_ROWS} rows before these are not shown</p>` : nothing}
        <ol class="rows">${repeat(
          rows,
          ({ seq }) => seq,
          (row) =>
            html`<li><details><summary><button class="seq" @click=${(event: Event) => showRow(event, row.seq)}>${row.seq}</button> ${row.type}</summary>${guard([row.seq], () => wholeRow(row))}</details></li>`,
        )}</ol>`;
    }
    default:
      return run.tab satisfies never;
  }
}

function wholeRow(row: object): TemplateResult {
  const text = JSON.stringify(row, null, 2);
  const left = text.length - MOST_OF_ROW;
  return html`<pre tabindex="0">${visible(text.slice(0, MOST_OF_ROW))}</pre>${left > 0 ? html`<p class="cut">${countText(left)} characters after these are not shown</p>` : nothing}`;
}

function showRow(event: Event, seq: number): void {
  event.preventDefault();
  adjust({ seq });
}

function written({ run, step }: Showing): TemplateResult {
  const workflow = run.history.begun.get(step.run)?.said.workflow ?? "";
  const node = run.known.get(workflow)?.workflow?.states[step.name];
  if (node === undefined || node.type === "terminal")
    return html`<p class="hint">The workflow's file is not known here.</p>`;
  const { name: _, type: __, ...fields } = node;
  const told = Object.entries(fields).filter(
    ([, value]) => value !== null && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}",
  );
  return html`<pre class="command" tabindex="0">${visible(deedOf(node, (text) => text))}</pre>
    <dl class="written">${told.map(([name, value]) => html`<dt>${name}</dt><dd><pre tabindex="0">${visible(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</pre></dd>`)}</dl>`;
}

function itemView(item: DetailItem, { line, run: { isTimed }, step, moment }: Showing): unknown {
  const unanswered = (id: string): string => {
    const at = stepAt(step, moment);
    return at === null ? "" : unansweredText(at, id);
  };
  switch (item.type) {
    case "said":
      return markdown(item.words);
    case "thought":
      return html`<details class="thought"><summary>Thought</summary>${markdown(item.words)}</details>`;
    case "output":
      return html`${item.stream === "stderr" ? html`<p class="stream">standard error</p>` : nothing}${output({ words: item.words, at: item.seq, line, isTimed, choose: (one) => adjust({ line: one }) })}`;
    case "tool":
      return toolView(item.call, isTimed);
    case "permission": {
      const { asked, answer } = item;
      const chosen = asked.options.find(({ id }) => id === answer?.option);
      const said =
        answer === null
          ? unanswered(asked.permission)
          : (chosen?.name ?? (answer.outcome === "cancelled" ? "withdrawn" : answer.option));
      return html`<p class="heading">Asked: <strong class="asked">${visible(asked.title)}</strong></p>${asked.message === "" ? nothing : html`<p class="asked">${visible(asked.message)}</p>`}${askedAbout(asked, [])}<p class="answer">${visible(said ?? "")}${by(answer?.who ?? null)}${took(item)}</p>`;
    }
    case "input":
      return html`<p class="heading">Asked: <strong class="asked">${visible(item.prompt || "the next words")}</strong></p><p class="answer">${item.answer === null ? unanswered(item.id) : visible(item.answer || "(ended)")}${by(item.who)}${took(item)}</p>`;
    case "retry":
      return html`<p>Attempt ${item.attempt} failed: ${visible(item.why)}. Tried again after ${durationText(item.delayMs)}.</p>`;
    case "notice":
      return html`<p class="notice ${item.severity}">${visible(item.message)}</p>`;
    default:
      return item satisfies never;
  }
}
/** Who answered, where that is known. */
const by = (who: string | null): unknown => (who === null ? nothing : html` <small>by ${visible(who)}</small>`);
const took = ({ at, answeredAt }: { at: number; answeredAt: number | null }): unknown =>
  answeredAt === null ? nothing : html` <small>after ${durationText(answeredAt - at)}</small>`;

const STATES: { readonly [status: string]: string } = { pending: "running", in_progress: "running" };
function toolView(call: ShownCall, isTimed: boolean): TemplateResult {
  const { title, kind, status, input, output: result, said, content, locations } = call;
  const edits = content.flatMap((block) => (block.type === "diff" ? [editView(block)] : []));
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return html`<details class="tool" ?open=${edits.length > 0 || status === "failed"}><summary>${stateChip(STATES[status] ?? status)}<strong>${visible(title)}</strong> <small>${kind}${locations.map(({ path, line }) => ` · ${visible(path)}${line === undefined ? "" : `:${line}`}`)}</small></summary>
    ${input === undefined || edits.length > 0 ? nothing : html`<pre class="command" tabindex="0">${visible(inputText(input))}</pre>`}
    ${edits}${said.text === "" ? nothing : output({ words: said, at: 0, line: null, isTimed, choose: () => undefined })}
    ${texts.map((text) => markdown({ text, cut: 0, cutLines: 0, times: [] }))}
    ${result === undefined ? nothing : html`<pre tabindex="0">${visible(inputText(result))}</pre>`}</details>`;
}
