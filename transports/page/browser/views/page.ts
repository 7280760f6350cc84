/** The whole page. */
import { html, nothing, type TemplateResult } from "lit/html.js";
import { signIn } from "../calls.ts";
import { enter } from "../entering.ts";
import { act, attempt, state } from "../state.ts";
import { machinesView } from "./machines.ts";
import { runView } from "./run.ts";
import { runsView } from "./runs.ts";
import { workflowsView, workflowView } from "./workflows.ts";

const KEYS = [
  ["/", "search"],
  ["j k ↑ ↓", "choose a run; in a run the step before or after"],
  ["Enter", "open it"],
  ["Esc", "all runs"],
  ["Space", "play, pause"],
  ["← →", "a row back, or on; with Shift a hundredth of the run"],
  ["l", "the live end"],
  ["n", "what runs now"],
  ["g t s", "graph, timeline, step"],
  ["f", "find in the step; Enter the next, Shift and Enter the one before"],
  ["?", "this list"],
] as const;

const close = act(() => {
  state.note = null;
});
const closeNews = act(() => {
  state.isOutdated = false;
});
const closeHelp = act(() => {
  state.isHelp = false;
});

export function pageView(): TemplateResult {
  return html`${body()}${note()}${help()}`;
}

/** After each drawing. A dialog that is open has the focus and the keys, and gives the focus back. */
export function openHelp(page: HTMLElement): void {
  const dialog = page.querySelector<HTMLDialogElement>("dialog.help");
  if (dialog === null || dialog.open === state.isHelp) return;
  if (state.isHelp) dialog.showModal();
  else dialog.close();
}

function note(): TemplateResult | typeof nothing {
  if (state.note !== null)
    return html`<p class="note" role="alert">${state.note}<button aria-label="Close" @click=${close}>×</button></p>`;
  if (!state.isOutdated) return nothing;
  return html`<p class="note" role="status">The server has a newer page than this one.<button @click=${() => location.reload()}>Load it</button><button aria-label="Close" @click=${closeNews}>×</button></p>`;
}

function body(): TemplateResult {
  const { place, isIn, open } = state;
  if (open?.isOffline === true && place.view === "run") return runView(open, place);
  if (isIn === "asking") return html`<main class="wait"><h1 class="hidden">Troupe</h1></main>`;
  if (isIn === "out") return door();
  switch (place.view) {
    case "runs":
      return runsView(place.search);
    case "run":
      return open === null
        ? html`<main class="wait"><h1 class="hidden">Run</h1><p class="hint">Looking for the run…</p></main>`
        : runView(open, place);
    case "machines":
      return machinesView(place);
    case "workflows":
      return workflowsView(place.cwd);
    case "workflow":
      return workflowView(place.cwd);
    default:
      return place satisfies never;
  }
}

function door(): TemplateResult {
  const knock = (event: SubmitEvent): void => {
    event.preventDefault();
    if (state.isBusy) return;
    const token = String(new FormData(event.target as HTMLFormElement).get("token") ?? "");
    void attempt(async () => {
      if (!(await signIn({ token }))) throw new Error("This token is none of the server's.");
      enter();
    });
  };
  return html`<main class="door"><h1>Troupe</h1><p>Open this page by <code>troupe serve --open</code>, or give a token of the server.</p>
    <form @submit=${knock}><label><span>Token</span><input name="token" type="password" autocomplete="off" required></label><button class="primary">Come in</button></form></main>`;
}

const help = (): TemplateResult =>
  html`<dialog class="help" aria-label="Keys" @close=${closeHelp}><dl>${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl><button class="quiet" @click=${closeHelp}>Close</button></dialog>`;
