/**
 * What the lists show: runs, workflows, one workflow.
 *
 * I1. What comes late is not shown where one has gone meanwhile.
 * I2. Of a list that is read several times at once, what was asked for last stands; of a run that has ended, its end.
 * I3. Of a run that is not listed any more nothing is kept.
 */

import { chartOf } from "../../../projections/chart/chart.ts";
import type { WorkflowPlace } from "../../../projections/page/place.ts";
import type { Scheduled } from "../../../projections/page/scheduled.ts";
import type { Finding, Workflow } from "../../../projections/page/seen.ts";
import { goesOn, withOpen } from "../../../projections/runs/standing.ts";
import { call, Overtaken } from "./calls.ts";
import { changed, type KnownWorkflow, type Listed, type PageRun, state, type Tree } from "./state.ts";

const MOST_RUNS = 200;
/** As many as the API gives. */
export const MOST_OPEN = 1_000;
/** Of so many of the last runs of a workflow the steps are measured. */
const MEASURED = 20;
const AT_ONCE = 4;
/** Of so many runs that have ended the steps are read, once. */
const MOST_MEASURED = 50;
const measured = new Set<string>();
const lists = new Overtaken();

const query = (cwd: string | null): string => (cwd === null ? "" : `?cwd=${encodeURIComponent(cwd)}`);

export async function loadRuns(): Promise<void> {
  const { place, filter } = state;
  if (filter !== "" || (place.view === "runs" && place.search !== "")) state.most = MOST_OPEN;
  const counts = lists.begin();
  // The open ones first: one that ends between the two is among the latest, or has ended.
  const open = await call<{ runs: PageRun[] }>(`/api/runs?open=true&limit=${MOST_OPEN}`);
  const latest = await call<{ runs: PageRun[] }>(`/api/runs?limit=${state.most}`);
  if (!counts()) return; // I2
  const runs = withOpen(latest.runs, open.runs);
  state.runs = runs;
  forgetOthers(runs);
  changed();
  const isFinal = ({ id, status }: PageRun): boolean => !goesOn(status) && measured.has(id);
  const going = runs.filter(({ status }) => goesOn(status)).slice(0, MOST_RUNS);
  const ended = runs.slice(0, MOST_MEASURED).filter((run) => !goesOn(run.status) && !isFinal(run));
  const wanted = [...going, ...ended];
  await each(wanted, async ({ id, status }) => {
    const tree = await call<Tree>(`/api/runs/${id}/steps`);
    if (goesOn(status) && measured.has(id)) return; // I2
    if (state.runs?.some((run) => run.id === id) !== true) return; // I3
    state.trees.set(id, tree);
    if (!goesOn(status)) measured.add(id);
    changed();
  });
}

/** I3 */
function forgetOthers(runs: readonly PageRun[]): void {
  const listed = new Set(runs.map(({ id }) => id));
  for (const known of [state.trees, measured]) for (const id of known.keys()) if (!listed.has(id)) known.delete(id);
}

/** Who looks for something looks for it in all runs that the API gives at once. */
export async function loadMoreRuns(): Promise<void> {
  if (state.most === MOST_OPEN) return;
  await loadRuns();
}

export async function loadWorkflows(cwd: string | null): Promise<void> {
  const { place } = state;
  const { workflows, warnings } = await call<{ workflows: Listed[]; warnings: string[] }>(
    `/api/workflows${query(cwd)}`,
  );
  if (state.place !== place) return; // I1
  state.listed = workflows;
  state.warnings = warnings;
  changed();
  // Who came with a token of another name has none.
  const none = { served: false, schedules: [] };
  const path = `/api/schedules${query(cwd)}`;
  const { served, schedules } = await call<{ served: boolean; schedules: Scheduled[] }>(path).catch(() => none);
  if (state.place !== place) return; // I1
  state.schedules = { isServed: served, here: schedules.filter(({ isHere }) => isHere) };
  changed();
}

/** One workflow as its file has it now. */
export async function knownWorkflow(id: string, cwd: string | null): Promise<KnownWorkflow> {
  const cut = id.lastIndexOf("/");
  const [scope, name] = cut < 0 ? ["local", id] : [id.slice(0, cut), id.slice(cut + 1)];
  const path = `/api/workflows/${encodeURIComponent(scope)}/${encodeURIComponent(name)}${query(cwd)}`;
  const found = await call<{ workflow: Workflow | null; findings: Finding[]; file: string | null }>(path);
  return { ...found, chart: found.workflow === null ? null : chartOf(found.workflow) };
}

export async function loadWorkflow(place: WorkflowPlace): Promise<void> {
  const { workflow: id, cwd } = place;
  const asked = new URLSearchParams({ limit: String(MOST_RUNS), workflow: id, ...(cwd === null ? {} : { cwd }) });
  const [known, { runs }] = await Promise.all([
    knownWorkflow(id, cwd),
    call<{ runs: PageRun[] }>(`/api/runs?${asked}`),
  ]);
  if (state.place !== place) return; // I1
  const shown = { id, known, runs, trees: [] as Tree[] };
  state.workflow = shown;
  changed();
  await each(runs.slice(0, MEASURED), async ({ id: run }) => {
    shown.trees.push(await call<Tree>(`/api/runs/${run}/steps`));
    changed();
  });
}

/** A few at once; what one of them throws is left out. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
