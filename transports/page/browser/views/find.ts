/** What is done with the words of a step: find some, and see when they came. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { lookFor, moveFound } from "../finding.ts";
import { act, type OpenRun } from "../state.ts";

/** The count is written by `finding.ts`, once what is counted was drawn. */
export function findView(run: OpenRun): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    moveFound(run, event.shiftKey ? -1 : 1);
  };
  const look = (event: Event): void => lookFor(run, (event.target as HTMLInputElement).value);
  const toggle = act(() => {
    run.isTimed = !run.isTimed;
  });
  return html`<div class="find" role="search" aria-label="In this step">
    <label><span class="hidden">Find in this step</span><input id="find" type="search" placeholder="Find  f" .value=${run.find.text} @input=${look} @keydown=${onKey}></label>
    <span class="found-count" role="status"></span>
    ${
      run.find.text === ""
        ? nothing
        : html`<button class="quiet" aria-label="The one before" @click=${() => moveFound(run, -1)}>↑</button><button class="quiet" aria-label="The next one" @click=${() => moveFound(run, 1)}>↓</button>`
    }
    ${run.tab === "activity" ? html`<button class="quiet times" aria-pressed=${run.isTimed} @click=${toggle}>Times</button>` : nothing}</div>`;
}
