/**
 * All runs in the order in which a person looks through them: what waits for a person first, then what runs, then what
 * has ended, and the figures of one workflow.
 */
import type { StepTree } from "../runs/tree.ts";

/** As the API describes a run. */
export type RunLine = {
  id: string;
  workflow: string;
  cwd: string;
  status: string;
  startedAt: number;
  endedAt: number | null;
  permissions: readonly { title: string }[];
  questions: readonly { prompt: string; said: string }[];
};
export type RunGroup = { title: string; runs: RunLine[] };

/** What a run's status says where it waits for a person. */
export const WAITING: ReadonlySet<string> = new Set(["waiting", "parked"]);
const GROUPS: readonly { title: string; holds: (status: string) => boolean }[] = [
  { title: "Waits for you", holds: (status) => WAITING.has(status) },
  { title: "Runs now", holds: (status) => status === "running" },
  { title: "Cut off", holds: (status) => status === "interrupted" },
  { title: "Ended", holds: () => true },
];

/**
 * Groups that hold something, each newest first. `state`: one of a run, or "" for all. `search`: words, all of them
 * met.
 */
export function runGroups(runs: readonly RunLine[], { search, state }: { search: string; state: string }): RunGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = (run: RunLine): boolean => {
    const text = `${run.workflow} ${run.id} ${run.cwd} ${run.status} ${waitOf(run) ?? ""}`.toLowerCase();
    return (state === "" || run.status === state) && words.every((word) => text.includes(word));
  };
  const groups = GROUPS.map(({ title }): RunGroup => ({ title, runs: [] }));
  for (const run of runs.filter(isMeant).sort((a, b) => b.startedAt - a.startedAt))
    groups[GROUPS.findIndex(({ holds }) => holds(run.status))]?.runs.push(run);
  return groups.filter(({ runs: found }) => found.length > 0);
}

/** What it asks of a person; null where nothing is open. */
export function waitOf({ permissions, questions }: RunLine): string | null {
  const [permission] = permissions;
  const [question] = questions;
  if (permission !== undefined) return permission.title;
  if (question === undefined) return null;
  return question.prompt || question.said || "the next words";
}

/** `runs`: how often it ran. Milliseconds; null where nothing was measured. */
export type StepFigures = {
  name: string;
  kind: string;
  runs: number;
  failed: number;
  p50: number | null;
  p95: number | null;
};
/** `undone`: runs that were cancelled or skipped. */
export type WorkflowFigures = {
  runs: number;
  undone: number;
  failed: number;
  p50: number | null;
  p95: number | null;
  steps: StepFigures[];
};

/** What was cancelled or skipped is no failure of it, and how long that took says nothing of it. */
const RAN: ReadonlySet<string> = new Set(["completed", "failed"]);

/**
 * Of the runs of one workflow that have completed or failed, and the steps that did or have no end, in the runs whose
 * trees are known.
 */
export function figuresOf(runs: readonly RunLine[], trees: readonly (readonly StepTree[])[]): WorkflowFigures {
  const ended = runs.filter((run) => run.endedAt !== null);
  const ran = ended.filter(({ status }) => RAN.has(status));
  const steps = new Map<string, { kind: string; times: number[]; failed: number; runs: number }>();
  const see = (step: StepTree): void => {
    if (step.endedAt === null || RAN.has(step.state)) {
      const known = steps.get(step.name) ?? { kind: step.kind, times: [], failed: 0, runs: 0 };
      known.runs += 1;
      if (step.state === "failed") known.failed += 1;
      if (step.endedAt !== null) known.times.push(step.endedAt - step.startedAt);
      steps.set(step.name, known);
    }
    if (step.calls === null) step.steps.forEach(see);
  };
  for (const tree of trees) tree.forEach(see);
  const times = ran.map(({ startedAt, endedAt }) => (endedAt ?? startedAt) - startedAt);
  return {
    runs: ran.length,
    undone: ended.length - ran.length,
    failed: ran.filter(({ status }) => status === "failed").length,
    ...{ p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    steps: [...steps].map(([name, { kind, times: each, ...counts }]) => ({
      ...{ name, kind, ...counts, p50: percentile(each, 0.5), p95: percentile(each, 0.95) },
    })),
  };
}

/** The nearest rank. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
