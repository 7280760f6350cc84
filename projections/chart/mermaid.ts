/** A chart as a Mermaid flowchart, for Markdown and editors. Names are text only: none can become syntax. */
import { visibleLine } from "../../machines/visible.ts";
import { lookOf } from "../step-kinds.ts";
import {
  aboutOf,
  type Chart,
  type ChartEdge,
  type ChartNode,
  edgeText,
  type Grouped,
  groupsOf,
  MARK_COLOURS,
  type Marks,
  shownEdges,
} from "./chart.ts";

export type Direction = "TB" | "LR" | "BT" | "RL";
/** `marks`: what became of states in a run. */
export type DrawOptions = { direction: Direction; highlight: string | null; marks?: Marks };

export function mermaid(chart: Chart, { direction, highlight, marks = NO_MARKS }: DrawOptions): string {
  const ids = new Map(chart.nodes.map(({ name }, at) => [name, `n${at}`]));
  const id = (name: string): string => ids.get(name) ?? "n_";
  const marked = highlight === null ? undefined : ids.get(highlight);
  const drawn = shownEdges(chart).filter(({ to }) => ids.has(to));
  const failures = drawn.flatMap(({ kind }, at) => (kind === "failure" ? [at + 1] : []));
  const start = ids.has(chart.initial) ? [`  start(( )) --> ${id(chart.initial)}`] : [];
  return [
    `flowchart ${direction}`,
    ...groupsOf(chart).flatMap((one) => grouped(one, id, "  ")),
    ...start,
    ...drawn.map((edge) => `  ${id(edge.from)} ${arrow(edge)} ${id(edge.to)}`),
    ...(failures.length === 0 ? [] : [`  linkStyle ${failures.join(",")} stroke:#c0392b,stroke-dasharray:4`]),
    ...chart.nodes.flatMap(({ name }) => {
      const mark = marks.get(name);
      return mark === undefined ? [] : [`  style ${id(name)} stroke-width:2px,stroke:${MARK_COLOURS[mark]}`];
    }),
    ...(marked === undefined ? [] : [`  style ${marked} stroke-width:3px,stroke:#2980b9`]),
    "",
  ].join("\n");
}

/** In quotes Mermaid reads `#name;` and Markdown: every character that could mean something is written as its code. */
const quoted = (text: string): string =>
  `"${visibleLine(text).replace(/[^\p{L}\p{N} _.,:/=()!?'-]/gu, (character) => `#${character.codePointAt(0)};`)}"`;

const NO_MARKS: Marks = new Map();

/** A container is a subgraph with its own state first, what it holds below. */
function grouped({ node, inner }: Grouped, id: (name: string) => string, margin: string): string[] {
  const own = `${margin}${id(node.name)}${shape(node)}`;
  if (inner.length === 0) return [own];
  return [
    `${margin}subgraph g_${id(node.name)}[${quoted(node.label)}]`,
    `  ${own}`,
    ...inner.flatMap((one) => grouped(one, id, `${margin}  `)),
    `${margin}end`,
  ];
}

function shape(node: ChartNode): string {
  const { label, kind, status } = node;
  const [open, close] = kind === "terminal" ? END_SHAPES[status ?? "success"] : lookOf(kind).mermaid;
  const about = aboutOf(node);
  return `${open}${about === "" ? quoted(label) : `${quoted(label).slice(0, -1)}<br>${quoted(about).slice(1)}`}${close}`;
}

const END_SHAPES = { success: ["([", "])"], failure: ["(((", ")))"] } as const;

function arrow(edge: ChartEdge): string {
  const text = edgeText(edge);
  const line =
    edge.kind === "enter" || edge.kind === "next" || edge.kind === "failure" || edge.kind === "skip" ? "-.->" : "-->";
  return text === "" ? line : `${line}|${quoted(text)}|`;
}
