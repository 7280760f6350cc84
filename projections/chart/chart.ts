/**
 * A workflow as a graph: what every drawing of it shows. Pure over the document.
 *
 * I1. Whatever a run does next, the chart has a way for: from a state that was entered to the next one there is an
 *     edge, or a way back through the containers it stands in and an edge from there.
 * I2. Nodes stand in the order of the plan, then states that nothing leads to, then ends, those without a name of their own
 *     last.
 */
import { own } from "../../machines/model.ts";
import { within } from "../../machines/workflow/below.ts";
import type { Node, StepNode, Workflow } from "../../machines/workflow/document.ts";
import { planEntries } from "../../machines/workflow/plan.ts";

export type ChartNode = {
  name: string;
  /** What is written in it. */
  label: string;
  kind: Node["type"];
  /** What it is for, or "" where the file says nothing; the agent that does it, or null. */
  description: string;
  provider: string | null;
  /** For ends. */
  status: "success" | "failure" | null;
  /** Its branches or body, in order. */
  members: readonly string[];
};
/**
 * `success`, `failure`, `complete`: the state's own ways; `when`: a transition, its condition in `label` or "" for the
 * last one; `enter`: into a container; `next`: to the next state of a body; `return`: back to the container.
 */
export type EdgeKind = "success" | "failure" | "skip" | "complete" | "when" | "enter" | "next" | "return";
export type ChartEdge = { from: string; to: string; kind: EdgeKind; label: string };
export type Chart = { name: string; initial: string; nodes: ChartNode[]; edges: ChartEdge[] };

const INLINE = /^__inline_error_/;

export function chartOf(workflow: Workflow): Chart {
  const { states, initial, name } = workflow;
  const planned = planEntries(workflow).map((entry) => entry.name);
  const rest = Object.keys(states).filter((each) => !planned.includes(each));
  const ends = (each: string): boolean => own(states, each)?.type === "terminal";
  const named = (inline: boolean): string[] => rest.filter((each) => ends(each) && INLINE.test(each) === inline);
  const order = [...planned, ...rest.filter((each) => !ends(each)), ...named(false), ...named(true)];
  const nodes = order.flatMap((each) => {
    const node = own(states, each);
    return node === undefined ? [] : [chartNode(node)];
  });
  return { name, initial, nodes, edges: nodes.flatMap((each) => edgesOf(states[each.name] as Node, each)) };
}

function chartNode(node: Node): ChartNode {
  const { name, type: kind } = node;
  if (node.type !== "terminal") {
    const provider = node.type === "agent" ? node.provider : null;
    const about = { description: node.description ?? "", provider };
    return { name, label: name, kind, ...about, status: null, members: within(node) };
  }
  const label = INLINE.test(name) ? (node.message ?? "failed") : name;
  return { name, label, kind, description: "", provider: null, status: node.status, members: [] };
}

function edgesOf(node: Node, { name, members }: ChartNode): ChartEdge[] {
  if (node.type === "terminal") return [];
  const edge = (to: string | null, kind: EdgeKind, label = ""): ChartEdge[] =>
    to === null ? [] : [{ from: name, to, kind, label }];
  return [
    ...innerEdges(node, members),
    ...node.transitions.flatMap(({ when, goto }) => edge(goto, "when", when ?? "")),
    ...ownEdges(node, edge),
  ];
}

function ownEdges(
  node: StepNode,
  edge: (to: string | null, kind: EdgeKind, label?: string) => ChartEdge[],
): ChartEdge[] {
  const complete = node.type === "for_each" || node.type === "while" ? node.onComplete : null;
  return [
    ...edge(complete, "complete"),
    ...edge(node.onSuccess, "success"),
    ...edge(node.onFailure, "failure"),
    ...edge(node.onSkip ?? null, "skip"),
    ...edge(node.isolation?.onConflict ?? null, "when", "a conflict"),
  ];
}

function innerEdges({ type, name }: StepNode, members: readonly string[]): ChartEdge[] {
  const back = members.map((from): ChartEdge => ({ from, to: name, kind: "return", label: "" }));
  const enter = (to: string): ChartEdge => ({ from: name, to, kind: "enter", label: "" });
  if (type === "parallel") return [...members.map(enter), ...back];
  const next = members.slice(1).map((to, at): ChartEdge => ({ from: members[at] ?? "", to, kind: "next", label: "" }));
  return [...members.slice(0, 1).map(enter), ...next, ...back];
}

/** Whether a run that has entered `from` may enter `to` next (I1). */
export function leads({ nodes, edges }: Chart, from: string, to: string): boolean {
  const holds = (name: string): string[] =>
    nodes.filter(({ members }) => members.includes(name)).map((node) => node.name);
  const open = [from];
  const seen = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (edges.some((edge) => edge.from === at && edge.to === to && edge.kind !== "return")) return true;
    for (const container of holds(at)) {
      if (seen.has(container)) continue;
      seen.add(container);
      open.push(container);
    }
  }
  return false;
}

/** The edges that a drawing shows: not those back into a container that a reader takes for granted. */
export const shownEdges = ({ edges }: Chart): ChartEdge[] =>
  edges.filter(
    ({ from, to, kind }) =>
      kind !== "return" &&
      (kind !== "next" || !edges.some((edge) => edge.from === from && edge.to === to && edge.kind !== "next")),
  );

/** An edge in words; "" where a plain arrow says it. */
export function edgeText({ kind, label }: ChartEdge): string {
  switch (kind) {
    case "when":
      return label === "" ? "otherwise" : label;
    case "failure":
      return "on failure";
    case "skip":
      return "on skip";
    case "complete":
      return "when done";
    case "success":
    case "enter":
    case "next":
    case "return":
      return "";
    default:
      return kind satisfies never;
  }
}

/** What is written in a state beside its name: what it is for, and the agent that does it. */
export const aboutOf = ({ description, provider }: ChartNode): string =>
  [provider ?? "", description].filter((part) => part !== "").join(": ");

/** A state, and what it holds where it is a group; each state once. */
export type Grouped = { node: ChartNode; inner: Grouped[] };
/** Containers as groups, outermost first. A state that two containers hold stands in the first. */
export function groupsOf({ nodes }: Chart): Grouped[] {
  const placed = new Set<string>();
  const group = (node: ChartNode): Grouped => {
    const inner = node.members.flatMap((name) => {
      const found = nodes.find((each) => each.name === name);
      if (found === undefined || placed.has(name)) return [];
      placed.add(name);
      return [group(found)];
    });
    return { node, inner };
  };
  const members = new Set(nodes.flatMap((node) => node.members));
  return [...nodes.filter(({ name }) => !members.has(name)), ...nodes].flatMap((node) => {
    if (placed.has(node.name)) return [];
    placed.add(node.name);
    return [group(node)];
  });
}

/** What became of a state in a run. */
export type Mark = "completed" | "failed" | "cancelled" | "skipped" | "running" | "waiting" | "interrupted";
export type Marks = ReadonlyMap<string, Mark>;
/** The colour that a state has in a picture, by what became of it. */
export const MARK_COLOURS: { readonly [mark in Mark]: string } = {
  completed: "#27ae60",
  failed: "#c0392b",
  cancelled: "#e67e22",
  skipped: "#7f8c8d",
  running: "#2980b9",
  waiting: "#f1c40f",
  interrupted: "#e67e22",
};
