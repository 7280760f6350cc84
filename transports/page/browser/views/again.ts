/** A run that has ended is done again: from a step on, or what failed of it, with other inputs where the user gives some. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { beginningsOf } from "../../../../projections/page/again.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { CallFault, call } from "../calls.ts";
import { go } from "../going.ts";
import { act, attempt, type OpenRun, state } from "../state.ts";
import { field, valuesIn } from "./fields.ts";

/** Opens the form, with this chosen to begin with. The panes get less room: what is chosen stays in view. */
export const askAgain = (run: OpenRun, from: string) =>
  act(() => {
    run.again = { from, differs: null };
    state.isFollowed = true;
  });

export function againView(run: OpenRun): TemplateResult | typeof nothing {
  const { again, record, history } = run;
  if (again === null || record === null) return nothing;
  const inputs = run.known.get(record.workflow)?.workflow?.inputs ?? [];
  const before = history.begun.get(run.id)?.said.inputs ?? {};
  const { hasFailed, steps } = beginningsOf(history);
  const shown = inputs.map(
    (input) => ({ ...input, default: before[input.name] ?? input.default ?? null }) as typeof input,
  );
  const start = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const from = String(new FormData(form).get("again-from") ?? "");
    const [values, force] = [valuesIn(form, shown), again.differs !== null];
    again.from = from;
    void attempt(() => begin(run, from, { inputs: values, force, consent: "ask" }));
  };
  return html`<form class="rerun" aria-label="Run again" @submit=${start}>
    <p class="heading"><strong>Run again</strong></p>
    <label class="field"><span>Begin with</span><select name="again-from">
      <option value="" ?selected=${again.from === ""}>the beginning</option>
      ${hasFailed ? html`<option value=${FAILED} ?selected=${again.from === FAILED}>what failed; the rest is taken over</option>` : nothing}
      ${(again.from === "" || again.from === FAILED || steps.includes(again.from) ? steps : [again.from, ...steps]).map((name) => html`<option value=${name} ?selected=${again.from === name}>${visible(name)}; what was before it is taken over</option>`)}</select></label>
    ${shown.map(field)}
    ${again.differs === null ? nothing : html`<pre class="fault">${visible(again.differs)}</pre>`}
    <p class="options"><button class="primary" ?disabled=${state.isBusy}>${again.differs === null ? "Run again" : "Take it over all the same"}</button><button type="button" class="quiet" @click=${act(
      () => {
        run.again = null;
      },
    )}>Close</button></p></form>`;
}

/** No step has such a name. */
export const FAILED = "/failed";

async function begin(run: OpenRun, from: string, more: object): Promise<void> {
  const where = from === "" ? {} : from === FAILED ? { failed: true } : { from };
  try {
    const path = `/api/runs/${encodeURIComponent(run.id)}/rerun`;
    const { run: id } = await call<{ run: string }>(path, { method: "POST", body: { ...where, ...more } });
    run.again = null;
    go({ view: "run", run: id, step: null, seq: null, line: null });
  } catch (error) {
    if (!(error instanceof CallFault) || error.code !== "USER.RUN.CHANGED" || run.again === null) throw error;
    run.again.differs = error.message;
  }
}
