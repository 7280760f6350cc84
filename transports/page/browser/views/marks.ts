/** Small things that many views show: the mark of a state, an address, a note. */
import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit/html.js";
import { visible } from "../../../../projections/page/seen.ts";
import { stateText } from "../../../../projections/page/spoken.ts";
import { state as page } from "../state.ts";

const PATHS: { readonly [state: string]: string } = {
  completed: "M3.5 8.5l3 3 6-7",
  taken: "M3.5 8.5l3 3 6-7",
  failed: "M4 4l8 8M12 4l-8 8",
  cancelled: "M4 8h8",
  skipped: "M4 4l4 4-4 4M9 4v8",
  waiting: "M8 3.5v5M8 11.6v.8",
  parked: "M8 3.5v5M8 11.6v.8",
  interrupted: "M9 2.5L5 9h3l-1 4.5",
  running: "M8 3a5 5 0 1 1-4.6 3",
};
/** Within a drawing; 16 units wide. */
export const stateGlyph = (state: string): SVGTemplateResult =>
  svg`<g class="glyph ${state}"><circle cx="8" cy="8" r="8"></circle><path d=${PATHS[state] ?? "M8 8h.01"}></path></g>`;
export const stateMark = (state: string): TemplateResult =>
  html`<svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">${stateGlyph(state)}</svg>`;
export const stateChip = (state: string): TemplateResult =>
  html`<span class="chip ${state}">${stateMark(state)}${stateText(state)}</span>`;
/** What is asked; what stands beside it stays on its last line, where it ends in a new one as a block of YAML does. */
export const askedText = (text: string): string => visible(text.trimEnd());
const CLOCK = new Intl.DateTimeFormat(undefined, {
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
});
/** When something came, by the clock of who looks at it. */
export const timeView = (at: number): TemplateResult => {
  const whole = new Date(at).toISOString();
  return html`<time class="at" datetime=${whole} title=${whole}>${CLOCK.format(at)}</time>`;
};
export const folderOf = (cwd: string): string => cwd.split(/[\\/]/).filter(Boolean).at(-1) ?? cwd;
/** In place of what is looked for; where it was not found, the page's note says why. */
export const lacking = (title: string, looking: string): TemplateResult =>
  html`<main class="wait"><h1 class="hidden">${title}</h1><p class="hint">${page.isBusy ? looking : html`This cannot be shown. <a href="#/">All runs</a>`}</p></main>`;
/** For what holds questions: the second click of a double click is meant for what stood there at the first. */
export const onceEach = {
  capture: true,
  handleEvent(event: MouseEvent): void {
    if (event.detail < 2 || !(event.target as Element).closest("button")) return;
    event.preventDefault();
    event.stopPropagation();
  },
};
