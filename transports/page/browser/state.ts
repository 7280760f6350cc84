/**
 * What the page knows and shows: one object, changed in place; a change asks for a drawing.
 *
 * I1. However much changes, it is drawn once a frame.
 */

import type { Chart } from "../../../projections/chart/chart.ts";
import type { KnownActors } from "../../../projections/inspection/actors.ts";
import type { MachineChart } from "../../../projections/inspection/chart.ts";
import type { RunHistory } from "../../../projections/page/history.ts";
import type { RunLine } from "../../../projections/page/overview.ts";
import type { PagePlace } from "../../../projections/page/place.ts";
import type { Scheduled } from "../../../projections/page/scheduled.ts";
import type { FileEdit, Finding, Json, Workflow } from "../../../projections/page/seen.ts";
import type { StepTree } from "../../../projections/runs/tree.ts";
import type { UsageSum } from "../../../projections/runs/usage.ts";
import type { AskForm } from "../../../projections/shared/ask-form.ts";
import type { Layout } from "./layout.ts";

export type PageRun = Omit<RunLine, "permissions" | "questions"> & {
  session: string;
  exitCode: number | null;
  error: { code: string; message: string } | null;
  firstSeq: number;
  lastSeq: number | null;
  resumable: boolean;
  startedBy?: string;
  permissions: readonly Asking[];
  questions: readonly { input: string; run: string; step: string; prompt: string; said: string; form?: AskForm }[];
};
export type Asking = {
  permission: string;
  run: string;
  step: string;
  title: string;
  message: string;
  tool?: string;
  input?: Json;
  edits?: FileEdit[];
  options: readonly { id: string; name: string; kind: string }[];
};
export type Tree = { steps: StepTree[]; current: string[]; usage: UsageSum };
export type KnownWorkflow = {
  workflow: Workflow | null;
  findings: readonly Finding[];
  file: string | null;
  chart: Chart | null;
};
export type Listed = {
  id: string;
  scope: string;
  workflow: string;
  name: string;
  description: string;
  inputs: Workflow["inputs"];
  fault: { code: string; message: string } | null;
};
export type Pane = "graph" | "timeline" | "step";
/** What of a body was refused, and what was expected there. */
export type Wrong = { field: string; expected: string };
/**
 * `input`: the question for which it was typed; null once that has refused it: it is for the one that stands there.
 * `wrong`: what of it is no answer, until more is typed.
 */
export type Draft = { input: string | null; fields: { readonly [field: string]: string }; wrong?: Wrong };
export type OpenRun = {
  readonly id: string;
  readonly history: RunHistory;
  readonly stop: AbortController;
  /** Null until it was asked for; of a file that is opened offline, made from its rows. */
  record: PageRun | null;
  readonly known: Map<string, KnownWorkflow>;
  readonly charts: Map<string, Chart>;
  readonly layouts: Map<string, Layout>;
  /** Steps that call workflows, opened in place. */
  readonly unfolded: Set<string>;
  readonly open: Set<string>;
  readonly closed: Set<string>;
  /** The panes that were scrolled away from what runs now. */
  readonly away: Set<Pane>;
  /** What was typed for questions and is not sent, by step. */
  readonly drafts: Map<string, Draft>;
  isPlaying: boolean;
  speed: number;
  tab: "activity" | "written" | "rows";
  /** What is looked for in the step that is shown, and at which of the places one is. */
  find: { text: string; at: number };
  /** Whether it is said when what a step did came. */
  isTimed: boolean;
  pane: Pane;
  zoom: number | null;
  isOffline: boolean;
  /** Of a file that ends before the run does, and does not say how it stood then. */
  isOpenEnded: boolean;
  /** The form by which it is done again, where that is open; what is taken over and does not fit any more. */
  again: { from: string; differs: string | null } | null;
};
/** `charts`: by definition. `fault`: why nothing is shown. */
export type OpenMachines = {
  known: KnownActors;
  readonly charts: Map<string, MachineChart>;
  readonly stop: AbortController;
  fault: string | null;
};
export type PageState = {
  place: PagePlace;
  now: number;
  isIn: "asking" | "in" | "out";
  runs: PageRun[] | null;
  /** Of so many of the latest runs the list is made, with all that are open: of more once something is looked for. */
  most: number;
  filter: string;
  /** The run that the keys have chosen; the first one where it is not shown. */
  chosen: string | null;
  readonly trees: Map<string, Tree>;
  listed: Listed[] | null;
  warnings: string[];
  schedules: { isServed: boolean; here: Scheduled[] };
  workflow: { id: string; known: KnownWorkflow; runs: PageRun[]; trees: Tree[] } | null;
  open: OpenRun | null;
  machines: OpenMachines | null;
  /** What went wrong last, or was done. */
  note: string | null;
  isHelp: boolean;
  /** Whether what is chosen, by keys or with the place that is opened, comes into view with the next drawing. */
  isFollowed: boolean;
  isBusy: boolean;
  /** The server has another page than this one. */
  isOutdated: boolean;
};

export const state: PageState = {
  ...{
    place: { view: "runs", search: "" },
    now: Date.now(),
    isIn: "asking",
    runs: null,
    most: 200,
    filter: "",
    chosen: null,
  },
  ...{
    trees: new Map(),
    listed: null,
    warnings: [],
    schedules: { isServed: false, here: [] },
    workflow: null,
    open: null,
    note: null,
    isHelp: false,
  },
  ...{ isBusy: false, machines: null, isFollowed: false, isOutdated: false },
};

/** What is said of a run while it is done, until the run shows it. */
export const DOING = { cancel: "It is being cancelled.", resume: "It is being resumed." } as const;

let asked = false;
let drawing: () => void = () => undefined;
let hearing: () => void = () => undefined;
/** `draw` is called before the next frame after each change (I1), `heard` at each. */
export function drawnBy(draw: () => void, heard: () => void): void {
  drawing = draw;
  hearing = heard;
}
export function changed(): void {
  hearing();
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    state.now = Date.now();
    drawing();
  });
}
/** What a control does: it changes something, and that is drawn. */
export const act = (change: () => void) => (): void => {
  change();
  changed();
};
/** Carries out what was asked for, and says what went wrong. Resolves with that, or null. */
export async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  state.isBusy = true;
  state.note = null;
  changed();
  let fault: unknown = null;
  try {
    await work();
  } catch (error) {
    fault = error;
    state.note = error instanceof Error ? error.message : String(error);
  }
  state.isBusy = false;
  changed();
  return fault;
}
