/**
 * A workflow's graph with what a run has made of it so far.
 *
 * I1. Nodes and edges are those of the document, whatever has happened: a drawing of them stays where it is.
 * I2. An edge is taken when a step has led on by it. Where two edges lead the same way, the one that fits how the step
 *     ended is meant.
 */
import { type Chart, type ChartEdge, type ChartNode, edgeText, shownEdges } from "../chart/chart.ts";
import type { StepState } from "../runs/tree.ts";
import type { RunHistory, StepHistory } from "./history.ts";
import { type RunMoment, runAt, type StepMoment, stepAt } from "./moment.ts";

/**
 * `idle`: not reached yet. `passed`: never reached by a run that has ended. `taken`: not run, its result is that of the run
 * that is done again.
 */
export type NodeState = StepState | "idle" | "passed" | "taken";
/** What a graph draws as a box: a state of a workflow, or a state of a machine. */
export type DrawnNode = Omit<ChartNode, "kind"> & { kind: ChartNode["kind"] | "state" };
export type GraphNode = ChartNode & {
  state: NodeState;
  /** How often it was entered, how many of these have failed, and how many attempts were made anew. */
  visits: number;
  failures: number;
  retries: number;
  /** Of its last visit. */
  address: string | null;
  calls: { run: string; workflow: string } | null;
};
export type GraphEdge = ChartEdge & { text: string; isTaken: boolean };
export type RunGraph = { nodes: GraphNode[]; edges: GraphEdge[] };

export function graphOf(chart: Chart, history: RunHistory, run: string, moment: RunMoment): RunGraph {
  const ended = runAt(history, run, moment);
  const isOver = ended !== null && !OPEN.has(ended);
  const visits = new Map<string, StepHistory[]>();
  const own = history.steps.filter((step) => step.run === run && step.seq <= moment.seq);
  for (const step of own) {
    const known = visits.get(step.name);
    if (known === undefined) visits.set(step.name, [step]);
    else known.push(step);
  }
  const end = isOver ? endOf(chart, own, { state: ended, error: history.ended.get(run)?.said.error }) : null;
  const taken = takenBy(chart, own, end, moment);
  const isTakenOver = (name: string): boolean => history.begun.get(run)?.said.rerun?.taken.includes(name) === true;
  return {
    nodes: chart.nodes.map((node) =>
      node.kind === "terminal"
        ? { ...node, ...NEVER, state: terminalState(node, end, isOver), visits: node.name === end ? 1 : 0 }
        : isTakenOver(node.name) && !visits.has(node.name)
          ? { ...node, ...NEVER, state: "taken" }
          : { ...node, ...visited(visits.get(node.name) ?? [], isOver, moment) },
    ),
    edges: shownEdges(chart).map((edge) => ({ ...edge, text: edgeText(edge), isTaken: taken.has(keyOf(edge)) })),
  };
}

const OPEN: ReadonlySet<string> = new Set(["running", "waiting", "interrupted"]);
/** The code of a run that ended in a terminal of failure. */
const ENDED_IN = "EXECUTION.RUN.FAILED";
const NEVER = { visits: 0, failures: 0, retries: 0, address: null, calls: null };
const keyOf = ({ from, to, kind, label }: ChartEdge): string => `${from}\n${to}\n${kind}\n${label}`;

function terminalState({ name, status }: ChartNode, end: string | null, isOver: boolean): NodeState {
  if (name === end) return status === "failure" ? "failed" : "completed";
  return isOver ? "passed" : "idle";
}

function visited(steps: readonly StepHistory[], isOver: boolean, moment: RunMoment): Omit<GraphNode, keyof ChartNode> {
  const found = steps.flatMap((step): [StepHistory, StepMoment][] => {
    const at = stepAt(step, moment);
    return at === null ? [] : [[step, at]];
  });
  const last = found.at(-1);
  if (last === undefined) return { ...NEVER, state: isOver ? "passed" : "idle" };
  const open = found.find(([, { state }]) => state === "waiting") ?? found.find(([, { state }]) => OPEN.has(state));
  const [step, { state }] = open ?? last;
  const { calls } = step;
  return {
    state,
    visits: found.length,
    failures: found.filter(([, at]) => at.state === "failed").length,
    retries: found.reduce((sum, [, { attempts }]) => sum + attempts - 1, 0),
    address: step.address,
    calls: calls === null || calls.seq > moment.seq ? null : { run: calls.run, workflow: calls.workflow },
  };
}

type Ended = { state: StepState; error: { code: string; message: string } | undefined };

/** The terminal that a run ended in, where the document and the log leave no doubt. */
function endOf({ nodes, edges }: Chart, steps: readonly StepHistory[], { state, error }: Ended): string | null {
  const last = steps.findLast(({ path }) => !path.includes("/"));
  // A run that found no way on ends with another fault than that of a terminal, most often with its last step's own.
  if (last === undefined || state === "cancelled" || (error !== undefined && error.code !== ENDED_IN)) return null;
  const terminals = new Map(nodes.filter(({ kind }) => kind === "terminal").map((node) => [node.name, node.status]));
  const wanted = state === "failed" ? "failure" : "success";
  const ways = edges.filter(({ from, to }) => from === last.name && terminals.get(to) === wanted);
  const isItsOwn = error !== undefined && error.message === last.end?.said.error?.message;
  return (ways.find((edge) => fits(edge, last)) ?? (isItsOwn ? undefined : ways[0]))?.to ?? null;
}

const fits = ({ kind }: ChartEdge, { end }: StepHistory): boolean => {
  const status = end?.said.status;
  if (kind === "failure") return status === "failed";
  if (kind === "skip") return status === "skipped";
  return kind === "when" || status !== "failed";
};

function takenBy(chart: Chart, steps: readonly StepHistory[], end: string | null, moment: RunMoment): Set<string> {
  const taken = new Set<string>();
  const shown = shownEdges(chart);
  const take = (from: StepHistory, to: string): void => {
    const ways = shown.filter((edge) => edge.from === from.name && edge.to === to && edge.kind !== "enter");
    const way = ways.find((edge) => fits(edge, from)) ?? ways[0];
    if (way !== undefined) taken.add(keyOf(way));
  };
  const enter = (from: string, to: string): void => {
    for (const edge of shown) if (edge.kind === "enter" && edge.from === from && edge.to === to) taken.add(keyOf(edge));
  };
  const last = new Map<string, StepHistory>();
  for (const step of steps) {
    const above = step.above !== null && step.above.run === step.run ? step.above : null;
    if (above !== null) enter(above.name, step.name);
    const scope = `${above?.address ?? ""} ${step.round ?? ""}`;
    const before = above?.kind === "parallel" ? undefined : last.get(scope);
    if (before?.end != null && before.end.seq <= moment.seq) take(before, step.name);
    last.set(scope, step);
  }
  const final = last.get(" ");
  if (end !== null && final !== undefined) take(final, end);
  return taken;
}

/** Where the document is not known: what the plan names and the log has shown. */
export function chartOfLog(history: RunHistory, run: string): Chart {
  const plan = history.begun.get(run)?.said;
  const steps = history.steps.filter((step) => step.run === run);
  const inside = Map.groupBy(
    steps.filter(({ above }) => above?.run === run),
    ({ above }) => above?.name ?? "",
  );
  const nodes = (plan?.plan ?? []).map(({ name, kind }): ChartNode => {
    const below = inside.get(name) ?? [];
    return {
      name,
      label: name,
      kind,
      description: "",
      provider: null,
      status: null,
      members: [...new Set(below.map((step) => step.name))],
    };
  });
  const last = new Map<StepHistory | null, StepHistory>();
  const edges = steps.flatMap((step): ChartEdge[] => {
    const before = last.get(step.above);
    last.set(step.above, step);
    if (before === undefined || step.above?.kind === "parallel") return [];
    return [{ from: before.name, to: step.name, kind: "success", label: "" }];
  });
  const unique = [...new Map(edges.map((edge) => [keyOf(edge), edge])).values()];
  return { name: plan?.workflow ?? "", initial: nodes[0]?.name ?? "", nodes, edges: unique };
}
