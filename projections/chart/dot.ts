/** A chart as Graphviz DOT: boxes for commands, a diamond for parallel, hexagons for loops, ovals for ends. */
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
  shownEdges,
} from "./chart.ts";
import type { DrawOptions } from "./mermaid.ts";

export function dot(chart: Chart, { direction, ...marked }: DrawOptions): string {
  const names = new Set(chart.nodes.map(({ name }) => name));
  return [
    `digraph ${quoted(chart.name)} {`,
    `  rankdir=${direction};`,
    '  node [fontname="Helvetica"];',
    '  edge [fontname="Helvetica"];',
    "  __start [shape=point];",
    ...groupsOf(chart).flatMap((one) => grouped(one, marked, "  ")),
    ...(names.has(chart.initial) ? [`  __start -> ${id(chart.initial)};`] : []),
    ...shownEdges(chart)
      .filter(({ to }) => names.has(to))
      .map((edge) => `  ${id(edge.from)} -> ${id(edge.to)}${style(edge)};`),
    "}",
    "",
  ].join("\n");
}

const quoted = (text: string): string => `"${visibleLine(text).replace(/["\\]/g, "\\$&")}"`;
/** A name of an author can not be that of the start. */
const id = (name: string): string => quoted(`s:${name}`);

const END_SHAPES = { success: "oval", failure: "doubleoctagon" } as const;

type Marked = Pick<DrawOptions, "highlight" | "marks">;

/** A container is a cluster with its own state first, what it holds below. */
function grouped({ node, inner }: Grouped, marked: Marked, margin: string): string[] {
  const own = `${margin}${id(node.name)} [${attributes(node, marked)}];`;
  if (inner.length === 0) return [own];
  return [
    `${margin}subgraph ${quoted(`cluster:${node.name}`)} {`,
    `${margin}  label=${quoted(node.label)} style=rounded;`,
    `  ${own}`,
    ...inner.flatMap((one) => grouped(one, marked, `${margin}  `)),
    `${margin}}`,
  ];
}

function attributes(node: ChartNode, { highlight, marks }: Marked): string {
  const { name, label, kind, status } = node;
  const shape = kind === "terminal" ? END_SHAPES[status ?? "success"] : lookOf(kind).dot;
  const about = aboutOf(node);
  const text = about === "" ? quoted(label) : `${quoted(label).slice(0, -1)}\\n${quoted(about).slice(1)}`;
  const mark = marks?.get(name);
  const line =
    name === highlight ? ' penwidth=3 color="#2980b9"' : mark ? ` penwidth=2 color="${MARK_COLOURS[mark]}"` : "";
  return `label=${text} shape=${shape}${line}`;
}

function style(edge: ChartEdge): string {
  const text = edgeText(edge);
  const parts = [
    ...(text === "" ? [] : [`label=${quoted(text)}`]),
    ...(edge.kind === "failure" ? ["style=dashed", 'color="red"'] : []),
    ...(edge.kind === "enter" || edge.kind === "next" ? ["style=dotted"] : []),
  ];
  return parts.length === 0 ? "" : ` [${parts.join(" ")}]`;
}
