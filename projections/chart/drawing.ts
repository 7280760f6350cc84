/**
 * A chart for the terminal: one line per state from the first to the ends, what a container holds below it, and every
 * way that does not simply lead to the next line.
 */
import { lookOf } from "../step-kinds.ts";
import { paint } from "../terminal/paint.ts";
import { safeLine } from "../terminal/safe.ts";
import { aboutOf, type Chart, type ChartEdge, type ChartNode, edgeText, type Marks } from "./chart.ts";

const LINES: { readonly [kind in ChartEdge["kind"]]: string } = {
  success: "→",
  when: "→",
  complete: "→",
  failure: "⇢",
  skip: "⇢",
  enter: "",
  next: "",
  return: "",
};

type Options = { colours: boolean; highlight: string | null; marks?: Marks };
type Lane = Options & { chart: Chart; drawn: Set<string> };

export function drawing(chart: Chart, options: Options): string {
  const lane: Lane = { chart, ...options, drawn: new Set() };
  const { bold, dim } = paint(options.colours);
  const inside = new Set(chart.nodes.flatMap(({ members }) => members));
  const outer = chart.nodes.filter(
    ({ name, kind }) => kind !== "terminal" && (!inside.has(name) || name === chart.initial),
  );
  const ends = chart.nodes.filter(({ kind }) => kind === "terminal");
  const main = [...outer, ...ends];
  const lines = main.flatMap((node, at) => state(node, main[at + 1]?.name ?? null, "", lane));
  return `${[`${bold(safeLine(chart.name))} ${dim(`starts at ${safeLine(chart.initial)}`)}`, "", ...lines].join("\n")}\n`;
}

function state(node: ChartNode, following: string | null, indent: string, lane: Lane): string[] {
  const { chart, colours, highlight, drawn, marks } = lane;
  const { bold, cyan, dim, green, red } = paint(colours);
  const { name, kind, status, members } = node;
  const known = drawn.has(name);
  drawn.add(name);
  const name_ = safeLine(node.label);
  const paintMark = kind !== "terminal" ? cyan : status === "failure" ? red : green;
  const mark = marks?.get(name);
  const became =
    mark === undefined ? "" : ` ${mark === "failed" ? red(mark) : mark === "completed" ? green(mark) : cyan(mark)}`;
  const about = aboutOf(node) === "" || known ? "" : ` ${safeLine(aboutOf(node))}`;
  const marked = `${about}${became}${name === highlight ? dim(" ◀") : ""}`;
  const word = kind === "terminal" ? (status === "failure" ? "failure" : "success") : kind.replace("_", " ");
  const head = `${indent}${paintMark(kind === "terminal" ? "■" : lookOf(kind).mark)} ${bold(name_)} ${dim(known ? "see above" : word)}${marked}`;
  if (known) return [head];
  const inner = members.flatMap((member, at) => {
    const found = chart.nodes.find((each) => each.name === member);
    const next = kind === "parallel" ? null : (members[at + 1] ?? null);
    return found === undefined ? [] : state(found, next, `${indent}│   `, lane);
  });
  const branch = chart.nodes.some((each) => each.kind === "parallel" && each.members.includes(name));
  const ways = branch && indent !== "" ? [] : waysOf(name, following, lane);
  return [head, ...inner, ...ways.map((way) => `${indent}${dim("│")}   ${way}`)];
}

function waysOf(name: string, following: string | null, { chart, colours }: Lane): string[] {
  const { dim } = paint(colours);
  const label = (to: string): string => safeLine(chart.nodes.find((node) => node.name === to)?.label ?? to);
  return chart.edges
    .filter(({ from, kind }) => from === name && LINES[kind] !== "")
    .filter(({ kind, to }) => !(to === following && (kind === "success" || kind === "complete")))
    .map((edge) => {
      const text = edgeText(edge);
      return `${text === "" ? "" : `${dim(safeLine(text))} `}${dim(LINES[edge.kind])} ${label(edge.to)}`;
    });
}
