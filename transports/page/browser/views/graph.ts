/** The graph of a run, or of a workflow. */

import { repeat } from "lit/directives/repeat.js";
import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit/html.js";
import { type Chart, type ChartEdge, edgeText, shownEdges } from "../../../../projections/chart/chart.ts";
import { activeStates, type MachineChart, type MachineState } from "../../../../projections/inspection/chart.ts";
import {
  type DrawnNode,
  type GraphEdge,
  graphOf,
  type GraphNode as RunNode,
} from "../../../../projections/page/graph.ts";
import type { RunMoment } from "../../../../projections/page/moment.ts";
import { visible } from "../../../../projections/page/seen.ts";
import { stateText } from "../../../../projections/page/spoken.ts";
import { type Box, type Layout, type Line, layoutOf, MOST_LABEL, type Point, shortened } from "../layout.ts";
import { chartOfRun } from "../opened.ts";
import { changed, type OpenRun } from "../state.ts";
import { stateGlyph } from "./marks.ts";

/** A node of a workflow or a machine, with what became of it. */
type GraphNode = DrawnNode & Omit<RunNode, keyof DrawnNode>;
type Graph = { nodes: GraphNode[]; edges: GraphEdge[] };

const MARGIN = 20;
const ROUNDED = 8;
const KINDS: { readonly [kind: string]: string } = {
  agent: "✦",
  command: "$",
  operation: "⇄",
  parallel: "∥",
  for_each: "↻",
  while: "↻",
  call_workflow: "▣",
  ask: "?",
  terminal: "",
};

/** `now`: the addresses of what runs now and of all that it is a part of. */
type Drawing = {
  run: OpenRun;
  moment: RunMoment;
  chosen: string | null;
  choose: (address: string) => void;
  now: ReadonlySet<string>;
};

/** One run's own graph, with those of the workflows that it called and that were opened in place. */
export function runGraph(drawing: Drawing): TemplateResult {
  const { run } = drawing;
  const workflow = run.record?.workflow ?? "";
  const { chart, isAsItWas } = chartOfRun(run, run.id, workflow);
  const layout = layoutFor(drawing, run.id, workflow, chart);
  const note =
    isAsItWas !== false || run.isOffline
      ? nothing
      : html`<p class="hint">The workflow's file is not as it was: this is what the log shows.</p>`;
  return html`${note}${canvas(layout, drawing.run, content(drawing, run.id, chart, layout))}`;
}

/** The graph of a workflow without a run. */
export const stillGraph = (chart: Chart): TemplateResult => {
  const layout = layoutOf({ ...chart, edges: shownEdges(chart), inner: new Map() });
  const none = { visits: 0, failures: 0, retries: 0, address: null, calls: null };
  const graph: Graph = {
    nodes: chart.nodes.map((node) => ({ ...node, ...none, state: "idle" })),
    edges: [],
  };
  return canvas(layout, null, drawn(layout, graph, null));
};

/** The chart of a machine, with the states in which it is. */
export function machineGraph(chart: MachineChart, value: unknown): TemplateResult {
  const layout = machineLayout(chart);
  const active = activeStates(value);
  const none = { visits: 0, failures: 0, retries: 0, address: null, calls: null };
  const nodes = chart.states.map((one) => ({
    ...machineNode(one),
    ...none,
    state: active.has(one.name) ? ("running" as const) : ("idle" as const),
  }));
  return canvas(layout, null, drawn(layout, { nodes, edges: [] }, null));
}

const machineLayouts = new WeakMap<MachineChart, Layout>();
function machineLayout(chart: MachineChart): Layout {
  const edges = chart.ways.map((way): ChartEdge => ({ ...way, kind: way.label === "" ? "success" : "when" }));
  const made = machineLayouts.get(chart) ?? layoutOf({ nodes: chart.states.map(machineNode), edges, inner: new Map() });
  machineLayouts.set(chart, made);
  return made;
}
const machineNode = ({ name, label, isParallel, members }: MachineState): DrawnNode => ({
  ...{ name, label, members, kind: isParallel ? "parallel" : "state" },
  ...{ description: "", provider: null, status: null },
});

function layoutFor({ run, moment }: Drawing, id: string, workflow: string, chart: Chart): Layout {
  const inner = new Map<string, Layout>();
  const open: string[] = [];
  for (const step of run.history.steps) {
    if (step.run !== id || step.calls === null || !run.unfolded.has(step.address)) continue;
    const below = chartOfRun(run, step.calls.run, step.calls.workflow).chart;
    inner.set(step.name, layoutFor({ run, moment } as Drawing, step.calls.run, step.calls.workflow, below));
    open.push(step.address);
  }
  const key = `${id} ${workflow} ${chart.nodes.length} ${chart.edges.length} ${open.join()}`;
  const known = run.layouts.get(key);
  if (known !== undefined) return known;
  const made = layoutOf({ ...chart, edges: shownEdges(chart), inner });
  run.layouts.set(key, made);
  return made;
}

function content(drawing: Drawing, id: string, chart: Chart, layout: Layout): SVGTemplateResult {
  const { run, moment } = drawing;
  const graph = graphOf(chart, run.history, id, moment);
  const inner = [...layout.inner].map(([name, { at, layout: below }]) => {
    const step = run.history.steps.findLast((one) => one.run === id && one.name === name && one.calls !== null);
    if (step?.calls == null) return nothing;
    const { chart: its } = chartOfRun(run, step.calls.run, step.calls.workflow);
    return svg`<g transform="translate(${at.x} ${at.y})">${content(drawing, step.calls.run, its, below)}</g>`;
  });
  return svg`${drawn(layout, graph, drawing)}${inner}`;
}

function drawn(layout: Layout, { nodes, edges }: Graph, drawing: Drawing | null): SVGTemplateResult {
  const named = new Map(nodes.map((node) => [node.name, node]));
  const taken = edges.filter(({ isTaken }) => isTaken);
  const isTaken = ({ edges: meant }: Line): boolean => taken.some((edge) => meant.some((one) => isSame(one, edge)));
  // Lines share pieces of their way: what was taken is drawn over what was not.
  const lines = [...layout.lines.filter((line) => !isTaken(line)), ...layout.lines.filter(isTaken)];
  const groups = layout.boxes.filter(({ isGroup }) => isGroup);
  const leaves = layout.boxes.filter(({ isGroup }) => !isGroup);
  return svg`${repeat(groups, idOf, (box) => boxView(box, named.get(box.id), drawing))}
    ${lines.map((line) => lineView(line, isTaken(line)))}
    ${repeat(leaves, idOf, (box) => boxView(box, named.get(box.id), drawing))}`;
}
const idOf = ({ id }: Box): string => id;

function lineView({ edges: meant, points, label }: Line, isTaken: boolean): SVGTemplateResult {
  const [first] = meant;
  if (first === undefined) return svg``;
  const text = label === null ? "" : visible(edgeText(first));
  return svg`<g class="edge ${first.kind} ${isTaken ? "taken" : ""}"><path d=${pathOf(points)} marker-end=${isTaken ? "url(#taken)" : "url(#arrow)"}></path>${
    label === null
      ? nothing
      : svg`<text x=${label.x} y=${label.y + 4}><title>${text}</title>${shortened(text, MOST_LABEL)}</text>`
  }</g>`;
}
const isSame = (one: ChartEdge, other: ChartEdge): boolean =>
  one.from === other.from && one.to === other.to && one.kind === other.kind && one.label === other.label;

/** Straight pieces with round corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M${first.x} ${first.y}`;
  for (const [index, point] of rest.entries()) {
    const [last, next] = [points[index] as Point, rest[index + 1]];
    if (next === undefined) return `${path}L${point.x} ${point.y}`;
    const [before, after] = [toward(point, last), toward(point, next)];
    path += `L${before.x} ${before.y}Q${point.x} ${point.y} ${after.x} ${after.y}`;
  }
  return path;
}
function toward(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const by = Math.min(ROUNDED, length / 2) / length;
  return { x: from.x + (to.x - from.x) * by, y: from.y + (to.y - from.y) * by };
}

/** As a button does. */
const pressed =
  (work: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    work();
  };

function boxView(
  { x, y, width, height, isGroup }: Box,
  node: GraphNode | undefined,
  drawing: Drawing | null,
): SVGTemplateResult {
  if (node === undefined) return svg``;
  const { label, kind, state, visits, failures, retries, address } = node;
  const counts = [
    ...(visits > 1 ? [`${visits}×`] : []),
    ...(failures > 0 && visits > 1 ? [`${failures} failed`] : []),
    ...(retries > 0 ? [`${retries} retried`] : []),
  ].join(" · ");
  const isChosen = drawing !== null && address !== null && address === drawing.chosen;
  const isNow = address !== null && drawing?.now.has(address) === true;
  const choose = (): void => (address === null ? undefined : drawing?.choose(address));
  const middle = isGroup ? 20 : height / 2;
  const says = `${label}, ${kind.replace("_", " ")}${kind === "state" ? (state === "running" ? ", active" : "") : `, ${stateText(state)}`}${counts === "" ? "" : `, ${counts}`}`;
  const words = counts === "" ? middle + 4.5 : middle - 2;
  return svg`<g class="node k-${kind} ${state} ${isGroup ? "group" : ""} ${isChosen ? "chosen" : ""} ${isNow ? "now" : ""}" transform="translate(${x} ${y})"
    role="button" tabindex=${address === null ? -1 : 0} aria-label=${visible(says)} aria-current=${isChosen ? "true" : nothing} data-node=${node.name} @click=${choose}
    @keydown=${pressed(choose)}>
    <rect width=${width} height=${height} rx=${kind === "terminal" ? height / 2 : 10}></rect>
    ${state === "idle" || state === "passed" ? svg`<text class="kind" x="20" y=${middle + 5}>${KINDS[kind] ?? ""}</text>` : svg`<g transform="translate(12 ${middle - 8})">${stateGlyph(state)}</g>`}
    <text class="name" x=${kind === "terminal" && state === "idle" ? 18 : 36} y=${words}><title>${visible(label)}</title>${shortened(visible(label), 28)}</text>
    ${counts === "" ? nothing : svg`<text class="counts" x="36" y=${middle + 14}>${counts}</text>`}
  </g>${node.calls === null || drawing === null ? nothing : fold(node, { x: x + width - 26, y: y + middle - 10 }, drawing)}`;
}

function fold({ address, label }: GraphNode, at: Point, { run }: Drawing): SVGTemplateResult {
  const isOpen = address !== null && run.unfolded.has(address);
  const toggle = (): void => {
    if (address === null) return;
    if (!run.unfolded.delete(address)) run.unfolded.add(address);
    changed();
  };
  return svg`<g class="fold" transform="translate(${at.x} ${at.y})" role="button" tabindex="0" aria-expanded=${isOpen} data-fold=${address}
    aria-label=${`${isOpen ? "close" : "open"} the workflow that ${visible(label)} called`} @click=${toggle}
    @keydown=${pressed(toggle)}>
    <rect width="20" height="20" rx="6"></rect><path d=${isOpen ? "M6 10h8" : "M6 10h8M10 6v8"}></path></g>`;
}

/** So that all of it is in view, as far as it stays readable. */
function fitting(wide: number, high: number): number {
  const pane = document.querySelector(".graph-pane");
  if (pane === null || pane.clientWidth === 0) return 1;
  return Math.min(1, pane.clientWidth / wide, Math.max(0.7, pane.clientHeight / high));
}

function canvas({ width, height }: Layout, run: OpenRun | null, inside: SVGTemplateResult): TemplateResult {
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const zoom = run?.zoom ?? fitting(wide, high);
  const by = (factor: number) => () => {
    if (run === null) return;
    run.zoom = Math.min(2, Math.max(0.2, zoom * factor));
    changed();
  };
  return html`<div class="canvas" tabindex="0" role="group" aria-label="Graph">
    <svg class="graph" viewBox="0 0 ${wide} ${high}" width=${wide * zoom} height=${high * zoom}>
      <defs>${["arrow", "taken"].map((id) => svg`<marker id=${id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5L7.5 4L0 7.5z"></path></marker>`)}</defs>
      <g transform="translate(${MARGIN} ${MARGIN})">${inside}</g></svg></div>
    ${run === null ? nothing : html`<div class="zoom"><button aria-label="Smaller" @click=${by(1 / 1.25)}>−</button><button aria-label="Larger" @click=${by(1.25)}>+</button></div>`}`;
}
