import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Chart, type ChartEdge, type ChartNode, chartOf, shownEdges } from "../../../projections/chart/chart.ts";
import { type Box, type Layout, layoutOf, type Point } from "../../../transports/page/browser/layout.ts";
import { workflows } from "../../projections/chart/random-workflow.ts";

const laidOut = (chart: Chart, inner = new Map<string, Layout>()): Layout =>
  layoutOf({ ...chart, edges: shownEdges(chart), inner });
/** Whether a piece of a line goes through the inside of a box. */
function crosses(from: Point, to: Point, { x, y, width, height }: Box): boolean {
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  return right > x + 1 && left < x + width - 1 && bottom > y + 1 && top < y + height - 1;
}
const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width + 0.5 &&
  inner.y + inner.height <= outer.y + outer.height + 0.5;

/** Pieces of lines through boxes that are neither around both ends nor an end. */
function faults({ boxes, lines }: Layout): string[] {
  return lines.flatMap(({ points, edges }) => {
    const [start, end] = [points[0] as Point, points.at(-1) as Point];
    const isAround = (box: Box): boolean =>
      [start, end].every(
        (point) => point.x > box.x && point.x < box.x + box.width && point.y > box.y && point.y < box.y + box.height,
      );
    if (edges[0]?.from === edges[0]?.to) return [];
    return points
      .slice(1)
      .flatMap((point, index) =>
        boxes
          .filter((box) => !isAround(box) && crosses(points[index] as Point, point, box))
          .map((box) => `${edges[0]?.from} → ${edges[0]?.to} through ${box.id}`),
      );
  });
}

const node = (name: string, kind: ChartNode["kind"]): ChartNode => ({
  name,
  label: name,
  description: "",
  provider: null,
  kind,
  status: null,
  members: [],
});
const edge = (from: string, to: string): ChartEdge => ({ from, to, kind: "success", label: "" });

describe("a layout", () => {
  test("I2: no edge runs through a box, and boxes stand beside or within each other", () => {
    fc.assert(
      fc.property(workflows, (workflow) => {
        const layout = laidOut(chartOf(workflow));
        expect(faults(layout)).toEqual([]);
        for (const [index, one] of layout.boxes.entries())
          for (const other of layout.boxes.slice(index + 1)) {
            const isApart = !crosses({ x: one.x, y: one.y }, { x: one.x + one.width, y: one.y + one.height }, other);
            expect(isApart || holds(one, other) || holds(other, one)).toBe(true);
          }
      }),
      { numRuns: 60 },
    );
  });

  test("I2: an edge beside all boxes leaves its row below and comes to the other from above, also to its own row", () => {
    const failure = (from: string) => ({ ...edge(from, "good"), kind: "failure" as const });
    const holding = (name: string, member: string) => ({ ...node(name, "while"), members: [member] });
    const layout = laidOut({
      name: "demo",
      initial: "s0",
      nodes: [
        ...[node("s0", "command"), holding("s1", "s6"), holding("s2", "s3"), holding("s3", "s4")],
        ...["s4", "s5", "s6"].map((name) => node(name, "command")),
        ...[node("good", "terminal"), node("bad", "terminal")],
      ],
      edges: [
        ...[{ ...edge("s0", "s1"), kind: "when" as const }, failure("s0"), failure("s1"), edge("s6", "s2")],
        ...[failure("s2"), { ...edge("s3", "s0"), kind: "failure" as const }, edge("s5", "s1"), failure("s5")],
      ],
    });
    const at = (id: string) => layout.boxes.find((box) => box.id === id)?.y;
    expect(at("s0")).toBe(at("good"));
    expect(faults(layout)).toEqual([]);
  });

  test("I1: the same graph is laid out the same, with every state and every edge in it", () => {
    fc.assert(
      fc.property(workflows, (workflow) => {
        const chart = chartOf(workflow);
        expect(laidOut(chart)).toEqual(laidOut(chart));
        expect(
          laidOut(chart)
            .boxes.map(({ id }) => id)
            .sort(),
        ).toEqual(chart.nodes.map(({ name }) => name).sort());
      }),
      { numRuns: 20 },
    );
  });

  test("many edges that lead alike to the same box share one way there: 300 states stay narrow, and are found at once", () => {
    const states = Array.from({ length: 300 }, (_, at) => `s${at}`);
    const layout = laidOut({
      name: "long",
      initial: "s0",
      nodes: [...states, "failed"].map((name) => node(name, "command")),
      edges: states.flatMap((name, at) => [
        ...(at + 1 < states.length ? [edge(name, states[at + 1] as string)] : []),
        { ...edge(name, "failed"), kind: "failure" as const },
      ]),
    });
    expect(faults(layout)).toEqual([]);
    expect(layout.lines).toHaveLength(599);
    expect(layout.width).toBeLessThan(700);
    const sideways = layout.lines
      .filter(({ edges }) => edges[0]?.kind === "failure")
      .map(({ points }) => Math.round(points.at(-3)?.x ?? 0));
    expect(new Set(sideways).size).toBeLessThan(20);
  }, 20_000);

  test("a called workflow stands within the state that called it", () => {
    const below = laidOut({
      name: "b",
      initial: "x",
      nodes: [node("x", "command"), node("y", "command")],
      edges: [edge("x", "y")],
    });
    const layout = laidOut(
      {
        name: "a",
        initial: "p",
        nodes: [node("p", "command"), node("c", "call_workflow"), node("q", "command")],
        edges: [edge("p", "c"), edge("c", "q")],
      },
      new Map([["c", below]]),
    );
    const box = layout.boxes.find(({ id }) => id === "c") as Box;
    const inside = layout.inner.get("c");
    expect(box.isGroup).toBe(true);
    expect(inside?.layout).toBe(below);
    expect((inside?.at.y ?? 0) + below.height).toBeLessThanOrEqual(box.y + box.height);
    expect(faults(layout)).toEqual([]);
  });
});
