/** A run that has stopped at its budget: a person gives a higher limit, and it goes on. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { type Halt, haltOf } from "../../../../projections/page/halt.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { call } from "../calls.ts";
import { attempt, DOING, type OpenRun, state } from "../state.ts";
import { onceEach } from "./marks.ts";

const LABELS: { readonly [name: string]: string } = {
  cost_usd: "Cost in USD, up to",
  tokens: "Tokens, up to",
  agent_turns: "Turns of agents, up to",
  time: "Time, up to",
};

/** What a run has stopped at; null where something else holds it, or nothing. */
export const haltedAt = ({ record, history }: OpenRun): Halt | null =>
  record !== null && record.status === "interrupted" && record.resumable ? haltOf(history) : null;

export function haltView(run: OpenRun): TemplateResult | typeof nothing {
  const halt = haltedAt(run);
  if (halt === null) return nothing;
  const { step, words, name, value } = halt;
  const give = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = String(new FormData(event.target as HTMLFormElement).get(name) ?? "").trim();
    // A time is a text; what is no number is for the server to refuse, with what it expects.
    const amount = name === "time" || given === "" || Number.isNaN(Number(given)) ? given : Number(given);
    void attempt(async () => {
      const path = `/api/runs/${encodeURIComponent(run.id)}/resume`;
      state.note = DOING.resume;
      await call(path, { method: "POST", body: { budget: { [name]: amount } } });
    });
  };
  return html`<section class="asks" aria-label="Waits for more to spend" @click=${onceEach}><article class="ask" data-halt=${name}>
    <p class="heading"><strong>Stopped at its budget</strong> <small>${visible(step)}</small></p>
    <p class="message">${visible(words)}</p>
    <form @submit=${give}><label class="field"><span>${LABELS[name] ?? name}</span><input name=${name} required .value=${value}></label>
    <p class="options"><button class="primary" ?disabled=${state.isBusy || run.isOffline}>Resume with this limit</button></p></form>
  </article></section>`;
}
