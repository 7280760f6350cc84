import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cyclesOf } from "../../../../machines/workflow/check/cycles.ts";

const sorted = (cycles: number[][]): number[][] =>
  cycles.map((each) => each.toSorted((a, b) => a - b)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));

/** By definition: two nodes are in one cycle when each can be reached from the other. */
function slowly(edges: readonly (readonly number[])[]): number[][] {
  const reach = edges.map((_, from) => {
    const seen = new Set<number>();
    const open = [...(edges[from] ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!seen.has(next)) open.push(...(edges[next] ?? []));
      seen.add(next);
    }
    return seen;
  });
  const done = new Set<number>();
  const cycles: number[][] = [];
  edges.forEach((_, node) => {
    if (done.has(node) || !reach[node]?.has(node)) return;
    const cycle = [...(reach[node] ?? [])].filter((other) => reach[other]?.has(node));
    for (const each of cycle) done.add(each);
    cycles.push(cycle);
  });
  return sorted(cycles);
}

describe("cyclesOf", () => {
  it("finds the same cycles as the definition", () => {
    const graph = fc
      .integer({ min: 1, max: 9 })
      .chain((size) =>
        fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
      );
    fc.assert(
      fc.property(graph, (edges) => {
        expect(sorted(cyclesOf(edges.keys(), (node) => edges[node] ?? []))).toEqual(slowly(edges));
      }),
    );
  });

  it("walks a ring of 50,000 without recursion", () => {
    const size = 50_000;
    const [ring] = cyclesOf(Array(size).keys(), (node) => [(node + 1) % size]);
    expect(ring).toHaveLength(size);
  });
});
