/** What waits for a person, and the answers. */

import { repeat } from "lit/directives/repeat.js";
import { html, nothing, type TemplateResult } from "lit/html.js";
import type { DetailItem } from "../../../../projections/page/detail.ts";
import { detailOf } from "../../../../projections/page/detail.ts";
import type { RunMoment } from "../../../../projections/page/moment.ts";
import { type Json, numberedOf, visible } from "../../../../projections/page/seen.ts";
import { inputText, wholeOf } from "../../../../projections/shared/input-text.ts";
import { call } from "../calls.ts";
import { draftOf, keepDraft, placeOf, send } from "../drafts.ts";
import { fillIn } from "../opened.ts";
import { type Asking, attempt, type OpenRun, type PageRun, state } from "../state.ts";
import { askView } from "./ask-form.ts";
import { editIn, editView } from "./edit.ts";
import { askedText, onceEach } from "./marks.ts";

const MEANS: { readonly [kind: string]: string } = {
  allow_once: "this time",
  allow_always: "from now on",
  reject_once: "this time",
  reject_always: "from now on",
};

/** All that a run waits for, each with what it is about in view. */
export function asks(run: OpenRun, moment: RunMoment): TemplateResult | typeof nothing {
  const { record } = run;
  if (record === null || !moment.isEnd) return nothing;
  const { permissions, questions } = record;
  if (permissions.length + questions.length === 0) return nothing;
  return html`<section class="asks" aria-label="Waits for you" @click=${onceEach}>
    ${repeat(
      permissions,
      ({ permission }) => permission,
      (asking) => permissionView(run, asking, moment),
    )}
    ${repeat(questions, placeOf, (question) => questionView(run, question))}
  </section>`;
}

function permissionView(run: OpenRun, asking: Asking, moment: RunMoment): TemplateResult {
  const { title, message, options, step, permission } = asking;
  const path = `/api/runs/${run.id}/decide`;
  const decide = (option: string) => () => attempt(() => call(path, { method: "POST", body: { permission, option } }));
  return html`<article class="ask" data-permission=${permission}>
    <p class="heading"><strong>${askedText(title)}</strong>${step === "" ? nothing : html` <small>${visible(step)}</small>`}</p>
    ${message === "" ? nothing : html`<p class="message">${askedText(message)}</p>`}
    ${askedAbout(asking, editsNear(run, asking, moment))}
    <p class="options">${options.map(({ id, name, kind }) => html`<button class=${kind === "allow_once" ? "primary" : "quiet"} data-kind=${kind} ?disabled=${state.isBusy || run.isOffline} @click=${decide(id)}>${visible(name)} <small>${MEANS[kind] ?? ""}</small></button>`)}</p>
  </article>`;
}

type About = Pick<Asking, "tool" | "input" | "edits">;
/** The whole of what a question is about: its edits and what they do not say, or else what `near` shows of its call. */
export function askedAbout(asked: About, near: readonly TemplateResult[]): TemplateResult | typeof nothing {
  const { edits = [] } = asked;
  const rest = wholeOf(asked);
  if (edits.length === 0) return about(rest, near);
  return html`${rest === undefined ? nothing : html`<pre class="command" tabindex="0">${visible(inputText(rest))}</pre>`}${edits.map(editView)}`;
}

/** As an edit where it is one, else as it was sent. */
function about(input: unknown, edits: readonly TemplateResult[]): TemplateResult | typeof nothing {
  if (edits.length > 0) return html`${edits}`;
  const edit = editIn(input);
  if (edit !== null) return editView(edit);
  return input === undefined
    ? nothing
    : html`<pre class="command" tabindex="0">${visible(inputText(input as Json))}</pre>`;
}

/** The edits of the tool call that a question is about. */
function editsNear(run: OpenRun, { run: id, step, title }: Asking, moment: RunMoment): TemplateResult[] {
  const found = run.history.steps.find((one) => one.run === id && one.path === step);
  if (found !== undefined) fillIn(run, found);
  const items = found === undefined ? [] : detailOf(found, moment);
  const call = items.findLast(
    (item): item is DetailItem & { type: "tool" } => item.type === "tool" && item.call.title === title,
  );
  return (call?.call.content ?? []).flatMap((block) => (block.type === "diff" ? [editView(block)] : []));
}

function questionView(run: OpenRun, question: PageRun["questions"][number]): TemplateResult {
  if (question.form !== undefined) return askView(run, question, question.form);
  const answer = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = String(new FormData(form).get("text") ?? "");
    send(run, question, { text }, () => form.reset());
  };
  return html`<article class="ask" data-input=${question.input}>
    <p class="heading"><strong>${askedText(question.prompt || "The conversation waits for the next words")}</strong> <small>${visible(numberedOf(question.step))}</small></p>
    ${question.said === "" ? nothing : html`<blockquote>${askedText(question.said)}</blockquote>`}
    <form @submit=${answer} @input=${keepDraft(run, question)}><label><span class="hidden">Your answer</span><textarea name="text" rows="3" .value=${draftOf(run, question)["text"] ?? ""} ?disabled=${run.isOffline}></textarea></label>
      <button class="primary" ?disabled=${state.isBusy || run.isOffline}>Send</button> <small>Empty text ends a conversation.</small></form>
  </article>`;
}
