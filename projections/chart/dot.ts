/** A chart as Graphviz DOT: boxes for commands, a diamond for parallel, hexagons for loops, ovals for ends. */
import { visibleLine } from "../../machines/visible.ts";
import { lookOf } from "../step-kinds.ts";
import { type Chart, type ChartEdge, type ChartNode, edgeText, shownEdges } from "./chart.ts";
import type { DrawOptions } from "./mermaid.ts";

export function dot(chart: Chart, { direction, highlight }: DrawOptions): string {
  const names = new Set(chart.nodes.map(({ name }) => name));
  return [
    `digraph ${quoted(chart.name)} {`,
    `  rankdir=${direction};`,
    '  node [fontname="Helvetica"];',
    '  edge [fontname="Helvetica"];',
    "  __start [shape=point];",
    ...chart.nodes.map((node) => `  ${id(node.name)} [${attributes(node, node.name === highlight)}];`),
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

function attributes({ label, kind, status }: ChartNode, marked: boolean): string {
  const shape = kind === "terminal" ? END_SHAPES[status ?? "success"] : lookOf(kind).dot;
  return `label=${quoted(label)} shape=${shape}${marked ? ' penwidth=3 color="#2980b9"' : ""}`;
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
