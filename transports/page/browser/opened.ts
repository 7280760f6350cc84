/** One run that is shown: its rows as they come, its workflows, its moment. */

import type { Chart } from "../../../projections/chart/chart.ts";
import { chartOfLog } from "../../../projections/page/graph.ts";
import { type OutlineSeen, RunHistory, type StepHistory } from "../../../projections/page/history.ts";
import { momentOf, type RunMoment, type StepMoment, stepAt } from "../../../projections/page/moment.ts";
import type { Recorded } from "../../../projections/page/recorded.ts";
import { type Exchange, isLive } from "../../../projections/page/seen.ts";
import { goesOn } from "../../../projections/runs/standing.ts";
import { frameOf } from "../../../projections/sse/events.ts";
import { CallFault, call, hear, Overtaken, type Told } from "./calls.ts";
import { knownWorkflow } from "./loads.ts";
import { attempt, changed, DOING, type KnownWorkflow, type OpenRun, type PageRun, type Pane, state } from "./state.ts";

const LOOK_AGAIN = new Set([
  ...["permission.requested", "permission.resolved", "input.required", "input.answered"],
  ...["run.started", "run.completed", "turn.completed"],
]);

const opened = (id: string): OpenRun => ({
  ...{
    id,
    history: new RunHistory(id),
    stop: new AbortController(),
    record: null,
    known: new Map(),
    charts: new Map(),
  },
  ...{ layouts: new Map(), unfolded: new Set<string>(), open: new Set<string>(), closed: new Set<string>() },
  ...{ drafts: new Map(), away: new Set<Pane>() },
  ...{ isPlaying: false, speed: 1, tab: "activity", pane: "graph", zoom: null, again: null },
  ...{ isOffline: false, isOpenEnded: false },
  ...{ find: { text: "", at: 0 }, isTimed: false },
});

export async function openRun(id: string): Promise<void> {
  if (state.open?.id === id) return;
  const run = opened(id);
  state.open = run;
  const path = `/api/runs/${encodeURIComponent(id)}`;
  const told = call<PageRun>(path).then((record) => {
    run.record = record;
    void loadChart(run, record.workflow);
    return record;
  });
  const [, outline] = await Promise.all([told, call<OutlineSeen>(`${path}/outline`)]);
  if (run.stop.signal.aborted) return;
  run.history.outline(outline);
  state.isFollowed = true;
  changed();
  for (const { said } of run.history.begun.values()) void loadChart(run, said.workflow);
  if (!run.history.ended.has(id)) void follow(run);
}

const STAYS_MS = 150;
let soon: { step: StepHistory; timer: ReturnType<typeof setTimeout> } | null = null;
/** As `fillIn`, once the step stays in view: a run that is played passes many. */
export function fillSoon(run: OpenRun, step: StepHistory): void {
  if (soon?.step === step || step.filled !== "part") return;
  clearTimeout(soon?.timer);
  const read = (): void => {
    soon = null;
    fillIn(run, step);
  };
  soon = { step, timer: setTimeout(read, STAYS_MS) };
}

/** What a step said and did is read when its view opens. */
export function fillIn(run: OpenRun, step: StepHistory): void {
  if (step.filled !== "part") return;
  step.filled = "asked";
  const until = step.end?.seq ?? run.history.head;
  const read = async (): Promise<Exchange[]> => {
    const rows: Exchange[] = [];
    for await (const page of pagesOf(run, { after: step.seq - 1, until, of: step.run, step: step.path }))
      rows.push(...page);
    return rows;
  };
  void read().then(
    (rows) => {
      run.history.fill(step, rows);
      changed();
    },
    () => {
      step.filled = "part";
    },
  );
}

type Wanted = { after: number; until: number; of?: string; step?: string };
/** Rows that a run stands among, page after page. */
export async function* pagesOf({ id }: OpenRun, { after, ...rest }: Wanted): AsyncGenerator<Exchange[]> {
  for (let from: number | null = after; from !== null; ) {
    const asked = new URLSearchParams(
      Object.entries({ after: from, ...rest }).map(([name, one]) => [name, String(one)]),
    );
    const page: { rows: Exchange[]; next: number | null } = await call(
      `/api/runs/${encodeURIComponent(id)}/rows?${asked}`,
    );
    yield page.rows;
    from = page.next;
  }
}

/** A run from a file. */
export function openRecorded({ run: id, workflow, cwd, status, charts, rows }: Recorded): void {
  const run = { ...opened(id), isOffline: true };
  for (const row of rows) run.history.see(row);
  for (const [name, chart] of Object.entries(charts)) run.charts.set(name, chart);
  const end = run.history.ended.get(id);
  const begun = rows.find((row) => row.run === id);
  run.record = {
    ...{
      id,
      workflow,
      cwd,
      session: "",
      status: end?.said.status ?? status ?? "interrupted",
      exitCode: end?.said.exitCode ?? null,
    },
    ...{ error: end?.said.error ?? null, startedAt: begun?.at ?? 0, endedAt: end?.at ?? null, firstSeq: 1 },
    ...{ lastSeq: end?.seq ?? null, resumable: false, permissions: [], questions: [] },
  };
  run.isOpenEnded = end === undefined && status === undefined;
  state.open = run;
  state.isFollowed = true;
}

export function closeRun(): void {
  state.open?.stop.abort();
  state.open = null;
}

async function follow(run: OpenRun): Promise<void> {
  const looks = new Overtaken();
  const told = (events: Told[]): void => {
    let isNew = false;
    for (const event of events) {
      const frame = frameOf(event);
      if (frame === null) continue;
      run.history.see(frame);
      if (!isLive(frame) && LOOK_AGAIN.has(frame.type)) isNew = true;
      if (frame.type === "step.call_workflow.started") void loadChart(run, frame.payload.workflow);
    }
    if (isNew) void lookAgain(run, looks.begin());
    const hasEnded = run.history.ended.has(run.id);
    if (hasEnded || state.note === DOING.resume) settled();
    changed();
    if (hasEnded) run.stop.abort();
  };
  await hear(`/api/runs/${encodeURIComponent(run.id)}/events?whole=true`, {
    after: run.history.head,
    told,
    // What one that was ended had asked is not asked any more, and no row says so.
    back: () => void lookAgain(run, looks.begin()),
    refused: (fault) => lost(run, fault),
    signal: run.stop.signal,
  });
}

/** Its log is another one than was read, as where an older copy of the store was put back, or is gone. */
function lost(run: OpenRun, { status }: CallFault): void {
  if (status === 401 || status === 403 || state.open !== run) return;
  run.stop.abort();
  state.open = null;
  void attempt(() => openRun(run.id));
}

/** What was being done shows now. */
function settled(): void {
  if (state.note === DOING.cancel || state.note === DOING.resume) state.note = null;
}

async function lookAgain(run: OpenRun, counts: () => boolean): Promise<void> {
  const record = await call<PageRun>(`/api/runs/${encodeURIComponent(run.id)}`).catch(() => null);
  if (record === null || !counts()) return;
  run.record = record;
  changed();
}

/** Null where the server did not answer: it is asked again. */
const goneOrUnread = (error: unknown): KnownWorkflow | null =>
  error instanceof CallFault ? { workflow: null, findings: [], file: null, chart: null } : null;

async function loadChart(run: OpenRun, workflow: string): Promise<void> {
  if (run.known.has(workflow) || run.record === null) return;
  const known = await knownWorkflow(workflow, run.record.cwd || null).catch(goneOrUnread);
  if (known === null) return;
  run.known.set(workflow, known);
  if (known.chart !== null) run.charts.set(workflow, known.chart);
  run.layouts.clear();
  if (workflow === run.record.workflow) state.isFollowed = true; // its graph is another now
  changed();
}

/** The chart of a workflow that was run; of one whose file is gone, what the log has shown. Null: it was not read. */
export function chartOfRun(run: OpenRun, id: string, workflow: string): { chart: Chart; isAsItWas: boolean | null } {
  const chart = run.charts.get(workflow);
  const plan = run.history.begun.get(id)?.said.plan ?? [];
  const fits = chart !== undefined && plan.every(({ name }) => chart.nodes.some((node) => node.name === name));
  return fits
    ? { chart, isAsItWas: true }
    : { chart: chartOfLog(run.history, id), isAsItWas: run.known.has(workflow) ? false : null };
}

/**
 * The step of an address; without one, or one that is known, what a person wants to see first of a moment: what waits; then,
 * while the run goes on, what is at work, and later what failed; else the last.
 */
export function stepShown({ history }: OpenRun, address: string | null, moment: RunMoment): StepHistory | undefined {
  const { steps } = history;
  const known = address === null ? undefined : history.at(address);
  if (known !== undefined) return known;
  const last = (fits: (at: StepMoment, step: StepHistory) => boolean): StepHistory | undefined =>
    steps.findLast((step) => {
      const at = stepAt(step, moment);
      return at !== null && fits(at, step);
    });
  const isLeaf = (step: StepHistory): boolean => !step.steps.some(({ seq }) => seq <= moment.seq);
  return (
    last(({ waits }) => waits.length > 0) ??
    (moment.isAlive ? undefined : last(({ state: its }, step) => its === "failed" && isLeaf(step))) ??
    last(({ state: its }, step) => (its === "running" || its === "interrupted") && isLeaf(step)) ??
    last(() => true)
  );
}

/** When it began. */
export const startOf = ({ id, history }: OpenRun): number => history.begun.get(id)?.at ?? history.timeAt(history.first);
const isAlive = ({ record }: OpenRun): boolean => record === null || goesOn(record.status);
export function momentNow(run: OpenRun): RunMoment {
  const seq = state.place.view === "run" ? state.place.seq : null;
  // In a file time stands still.
  return momentOf(run.history, { seq, isAlive: isAlive(run), now: run.isOffline ? 0 : state.now });
}
