/** A chart as a Mermaid flowchart, for Markdown and editors. Names are text only: none can become syntax. */
import { visibleLine } from "../../machines/visible.ts";
import { lookOf } from "../step-kinds.ts";
import { type Chart, type ChartEdge, type ChartNode, edgeText, shownEdges } from "./chart.ts";

export type Direction = "TB" | "LR" | "BT" | "RL";
export type DrawOptions = { direction: Direction; highlight: string | null };

export function mermaid(chart: Chart, { direction, highlight }: DrawOptions): string {
  const ids = new Map(chart.nodes.map(({ name }, at) => [name, `n${at}`]));
  const id = (name: string): string => ids.get(name) ?? "n_";
  const marked = highlight === null ? undefined : ids.get(highlight);
  const drawn = shownEdges(chart).filter(({ to }) => ids.has(to));
  const failures = drawn.flatMap(({ kind }, at) => (kind === "failure" ? [at + 1] : []));
  const start = ids.has(chart.initial) ? [`  start(( )) --> ${id(chart.initial)}`] : [];
  return [
    `flowchart ${direction}`,
    ...chart.nodes.map((node) => `  ${id(node.name)}${shape(node)}`),
    ...start,
    ...drawn.map((edge) => `  ${id(edge.from)} ${arrow(edge)} ${id(edge.to)}`),
    ...(failures.length === 0 ? [] : [`  linkStyle ${failures.join(",")} stroke:#c0392b,stroke-dasharray:4`]),
    ...(marked === undefined ? [] : [`  style ${marked} stroke-width:3px,stroke:#2980b9`]),
    "",
  ].join("\n");
}

/** In quotes Mermaid reads `#name;` and Markdown: every character that could mean something is written as its code. */
const quoted = (text: string): string =>
  `"${visibleLine(text).replace(/[^\p{L}\p{N} _.,:/=()!?'-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;

function shape({ label, kind, status }: ChartNode): string {
  const [open, close] = kind === "terminal" ? END_SHAPES[status ?? "success"] : lookOf(kind).mermaid;
  return `${open}${quoted(label)}${close}`;
}

const END_SHAPES = { success: ["([", "])"], failure: ["(((", ")))"] } as const;

function arrow(edge: ChartEdge): string {
  const text = edgeText(edge);
  const line =
    edge.kind === "enter" || edge.kind === "next" || edge.kind === "failure" || edge.kind === "skip" ? "-.->" : "-->";
  return text === "" ? line : `${line}|${quoted(text)}|`;
}
