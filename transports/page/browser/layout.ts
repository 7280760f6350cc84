/**
 * Where the boxes of a graph stand, and how its edges run. What a container holds is laid out inside of it first, and
 * then stands in the graph around it as one box.
 *
 * I1. The same graph is laid out the same: what happens in a run moves nothing.
 * I2. No edge runs through a box that is not its end or around it: an edge crosses a row of boxes straight down, where
 *     its place among them is, and moves sideways only between rows.
 */
import dagre from "@dagrejs/dagre";
import { type ChartEdge, edgeText } from "../../../projections/chart/chart.ts";
import type { DrawnNode } from "../../../projections/page/graph.ts";
import { trunksOf } from "./trunks.ts";

/** `inner`: what a node holds, as a layout of its own. */
export type Drawable = { nodes: readonly DrawnNode[]; edges: readonly ChartEdge[]; inner: ReadonlyMap<string, Layout> };
/** Of a box the upper left corner. */
export type Box = { id: string; x: number; y: number; width: number; height: number; isGroup: boolean };
export type Point = { x: number; y: number };
/** `edges`: what it stands for; several where they lead from the same box to the same, alike. */
export type Line = { edges: ChartEdge[]; points: Point[]; label: Point | null };
type Lifted = { from: string; to: string; edges: ChartEdge[] };
export type Layout = {
  width: number;
  height: number;
  boxes: Box[];
  lines: Line[];
  inner: ReadonlyMap<string, { at: Point; layout: Layout }>;
};

const HEIGHT = 46;
const HEAD = 34;
const PAD = 16;
const GAP = 18;
const COLUMNS = 3;
const LABEL_HEIGHT = 16;
const LETTER = 6.2;
const RANKS = 44;
export const MOST_LABEL = 30;

export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
const widthOf = ({ label, kind }: DrawnNode): number =>
  kind === "terminal"
    ? Math.min(270, 62 + shortened(label, 28).length * 8)
    : Math.min(290, Math.max(136, 70 + shortened(label, 28).length * 8));

/** The whole graph. */
export function layoutOf(drawable: Drawable): Layout {
  const names = new Map(drawable.nodes.map((node) => [node.name, node]));
  const parents = new Map<string, string>();
  for (const { name, members } of drawable.nodes)
    for (const member of members)
      if (names.has(member) && !parents.has(member) && !isAbove(parents, member, name)) parents.set(member, name);
  return scopeOf(null, { ...drawable, names, parents });
}

type Whole = Drawable & { names: ReadonlyMap<string, DrawnNode>; parents: ReadonlyMap<string, string> };
type Sized = { node: DrawnNode; width: number; height: number; below: Layout | null };

function isAbove(parents: ReadonlyMap<string, string>, above: string, name: string): boolean {
  for (let at: string | undefined = name; at !== undefined; at = parents.get(at)) if (at === above) return true;
  return false;
}

/** What stands directly in a container, or in the whole graph. */
function scopeOf(container: string | null, whole: Whole): Layout {
  const members = whole.nodes.filter(({ name }) => (whole.parents.get(name) ?? null) === container);
  const sized = members.map((node) => sizeOf(node, whole));
  const lifted = new Map<string, Lifted>();
  for (const edge of whole.edges) {
    const [from, to] = [memberOf(edge.from, container, whole), memberOf(edge.to, container, whole)];
    const isOutside = from === null || to === null || (from === to && edge.from !== edge.to);
    if (isOutside || edge.kind === "enter") continue;
    const key = `${from}\n${to}\n${edge.kind}\n${edge.label}`;
    const known = lifted.get(key);
    if (known === undefined) lifted.set(key, { from, to, edges: [edge] });
    else known.edges.push(edge);
  }
  const edges = [...lifted.values()];
  const isParallel = container !== null && whole.names.get(container)?.kind === "parallel";
  const laid = isParallel && edges.length === 0 ? inGrid(sized) : inRows(sized, edges);
  return joined(laid, sized);
}

/** The member of a scope that a node is, or stands in. */
function memberOf(name: string, container: string | null, { parents }: Whole): string | null {
  for (let at: string | undefined = name; at !== undefined; at = parents.get(at))
    if ((parents.get(at) ?? null) === container) return at;
  return null;
}

function sizeOf(node: DrawnNode, whole: Whole): Sized {
  const held = [...whole.parents.values()].includes(node.name);
  const below = whole.inner.get(node.name) ?? (held ? scopeOf(node.name, whole) : null);
  if (below === null) return { node, width: widthOf(node), height: HEIGHT, below };
  const width = Math.max(below.width, widthOf(node)) + 2 * PAD;
  return { node, width, height: below.height + HEAD + PAD, below };
}

type Laid = { width: number; height: number; places: Map<string, Point>; lines: Line[] };

function inGrid(sized: readonly Sized[]): Laid {
  const places = new Map<string, Point>();
  let [y, width] = [0, 0];
  for (let at = 0; at < sized.length; at += COLUMNS) {
    const row = sized.slice(at, at + COLUMNS);
    let x = 0;
    for (const one of row) {
      places.set(one.node.name, { x, y });
      x += one.width + GAP;
    }
    width = Math.max(width, x - GAP);
    y += Math.max(...row.map(({ height }) => height)) + GAP;
  }
  return { width, height: Math.max(0, y - GAP), places, lines: [] };
}

const wordsOf = ({ edges: [edge] }: Pick<Lifted, "edges">): string =>
  edge === undefined ? "" : shortened(edgeText(edge), MOST_LABEL);

function inRows(sized: readonly Sized[], edges: readonly Lifted[]): Laid {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 34, edgesep: 16, ranksep: RANKS });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { node, width, height } of sized) graph.setNode(node.name, { width, height });
  const trunks = trunksOf(
    sized.map(({ node }) => node.name),
    edges.map(({ from, to, edges: [edge] }) => ({ from, to, alike: `${edge?.kind} ${edge?.label}` })),
  );
  const shares = new Set(trunks.flat());
  for (const [index, edge] of edges.entries()) {
    if (shares.has(index)) continue;
    const text = wordsOf(edge);
    const label = text === "" ? {} : { width: text.length * LETTER + 10, height: LABEL_HEIGHT, labelpos: "c" };
    graph.setEdge(edge.from, edge.to, { ...label }, String(index));
  }
  dagre.layout(graph);
  const places = new Map<string, Point>();
  const bands: Band[] = [];
  for (const { node, width, height } of sized) {
    const { x, y } = graph.node(node.name) as Point;
    places.set(node.name, { x: x - width / 2, y: y - height / 2 });
    const band = bands.find(({ from, to }) => y > from && y < to);
    if (band === undefined) bands.push({ from: y - height / 2, to: y + height / 2 });
    else Object.assign(band, { from: Math.min(band.from, y - height / 2), to: Math.max(band.to, y + height / 2) });
  }
  const boxes = new Map(
    sized.map(({ node, width, height }) => [node.name, { ...(places.get(node.name) as Point), width, height }]),
  );
  const lines = edges.map((edge, index): Line => {
    if (shares.has(index)) return { edges: edge.edges, label: null, points: [] };
    const told = graph.edge(edge.from, edge.to, String(index)) as { points: Point[]; x?: number; y?: number };
    const label =
      wordsOf(edge) === "" || told.x === undefined || told.y === undefined ? null : { x: told.x, y: told.y };
    return {
      edges: edge.edges,
      label,
      points: route(edge.from === edge.to ? told.points : told.points.slice(1, -1), {
        from: boxes.get(edge.from),
        to: boxes.get(edge.to),
        bands,
      }),
    };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  let right = width;
  for (const trunk of trunks) {
    const [first] = trunk.map((index) => edges[index] as Lifted);
    const words = first === undefined ? "" : wordsOf(first);
    const x = right + GAP + (words.length * LETTER) / 2;
    right = x + (words.length * LETTER) / 2 + 1;
    for (const [at, index] of trunk.entries()) {
      const line = lines[index] as Line;
      const { from, to } = edges[index] as Lifted;
      Object.assign(line, besideAll(x, { from: boxes.get(from), to: boxes.get(to), bands }));
      if (at === 0 && words !== "") line.label = { x, y: (line.points.at(2)?.y ?? 0) + LABEL_HEIGHT };
    }
  }
  return { width: right, height, places, lines };
}

type Rect = Point & { width: number; height: number };
/** The height of a row of boxes. */
type Band = { from: number; to: number };
/** `isDown`: it leaves below its beginning and comes to its end from above, wherever the two stand. */
type Way = { from: Rect | undefined; to: Rect | undefined; bands: readonly Band[]; isDown?: boolean };

/** By a way beside all boxes (I2): out below the row of its beginning, and in above that of its end. */
function besideAll(x: number, way: Way): Pick<Line, "points"> {
  const { from, to, bands } = way;
  const out = bands.find((band) => from !== undefined && from.y >= band.from && from.y < band.to)?.to ?? 0;
  const back = bands.find((band) => to !== undefined && to.y >= band.from && to.y < band.to)?.from ?? 0;
  const by = RANKS / 3;
  const points = [out + by, back - by].map((y) => ({ x, y }));
  return { points: route(points, { ...way, isDown: true }) };
}

/** I2: `points` are where the edge crosses the rows. */
function route(points: readonly Point[], { from, to, bands, ...side }: Way): Point[] {
  if (from === undefined || to === undefined || from === to) return [...points];
  const { isDown = from.y + from.height <= to.y } = side;
  const shift = isDown ? 0 : 14;
  const start = { x: from.x + from.width / 2 + shift, y: isDown ? from.y + from.height : from.y };
  const end = { x: to.x + to.width / 2 + shift, y: isDown ? to.y : to.y + to.height };
  const way = [start, ...points, end];
  const found: Point[] = [start];
  for (let at = 1; at < way.length; at++) {
    const [last, next] = [way[at - 1] as Point, way[at] as Point];
    if (Math.abs(last.x - next.x) < 0.5) continue;
    const y = between(last.y, next.y, bands);
    found.push({ x: last.x, y }, { x: next.x, y });
  }
  return [...found, end];
}

/** A height between two rows, and between two points. */
function between(from: number, to: number, bands: readonly Band[]): number {
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
  const above = bands.filter((band) => band.from <= top + 0.5).map((band) => band.to);
  const below = bands.filter((band) => band.to >= bottom - 0.5).map((band) => band.from);
  const low = Math.max(top, ...above.filter((y) => y <= bottom + 0.5));
  const high = Math.min(bottom, ...below.filter((y) => y >= low - 0.5));
  return (low + high) / 2;
}

function joined({ width, height, places, lines }: Laid, sized: readonly Sized[]): Layout {
  const boxes: Box[] = [];
  const all = [...lines];
  const inner = new Map<string, { at: Point; layout: Layout }>();
  for (const { node, width: wide, height: high, below } of sized) {
    const place = places.get(node.name) as Point;
    boxes.push({ id: node.name, ...place, width: wide, height: high, isGroup: below !== null });
    if (below === null) continue;
    const at = { x: place.x + (wide - below.width) / 2, y: place.y + HEAD };
    if (node.kind === "call_workflow") {
      inner.set(node.name, { at, layout: below });
      continue;
    }
    const by = (point: Point): Point => ({ x: point.x + at.x, y: point.y + at.y });
    boxes.push(...below.boxes.map((box) => ({ ...box, ...by(box) })));
    for (const line of below.lines)
      all.push({ ...line, points: line.points.map(by), label: line.label === null ? null : by(line.label) });
    for (const [name, one] of below.inner) inner.set(name, { ...one, at: by(one.at) });
  }
  return { width, height, boxes, lines: all, inner };
}
