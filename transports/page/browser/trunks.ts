/**
 * Edges that lead from many boxes to the same one, alike, share one way to it: a trunk, beside all boxes. Drawn apart they
 * would be a wall of lines, and where they stand would take long to find.
 *
 * I1. A trunk leads downwards: what leads back up has a way of its own.
 * I2. The edge that comes from furthest down keeps its own way: it says where the box that all lead to stands.
 */

/** As far as it matters here. `alike`: what edges have in common that may share a way. */
type Way = { from: string; to: string; alike: string };

/** So many edges still have ways of their own. */
const FEW = 3;

/** For each trunk the edges that go by it, by their index, the one from furthest up first. */
export function trunksOf(names: readonly string[], edges: readonly Way[]): number[][] {
  const depths = depthsOf(names, edges);
  const depth = (name: string): number => depths.get(name) ?? 0;
  const groups = new Map<string, { index: number; depth: number }[]>();
  for (const [index, { from, to, alike }] of edges.entries()) {
    if (depth(from) >= depth(to)) continue; // I1
    const known = groups.get(`${to}\n${alike}`) ?? [];
    groups.set(`${to}\n${alike}`, [...known, { index, depth: depth(from) }]);
  }
  return [...groups.values()]
    .filter(({ length }) => length > FEW)
    .map((group) => group.sort((a, b) => a.depth - b.depth).slice(0, -1)) // I2
    .map((group) => group.map(({ index }) => index));
}

/** How far each box stands from the top, by the longest way that does not lead back. */
function depthsOf(names: readonly string[], edges: readonly Way[]): Map<string, number> {
  const out = Map.groupBy(edges, ({ from }) => from);
  const order: string[] = [];
  const seen = new Map<string, "open" | "done">();
  const back = new Set<Way>();
  for (const name of names) {
    const path: { name: string; rest: Way[] }[] = [];
    const enter = (one: string): void => {
      seen.set(one, "open");
      path.push({ name: one, rest: [...(out.get(one) ?? [])] });
    };
    if (!seen.has(name)) enter(name);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = top.rest.shift();
      if (edge === undefined) {
        seen.set(top.name, "done");
        order.push(top.name);
        path.pop();
      } else if (seen.get(edge.to) === "open") back.add(edge);
      else if (!seen.has(edge.to)) enter(edge.to);
    }
  }
  const depths = new Map<string, number>();
  for (const name of order.reverse()) {
    const here = depths.get(name) ?? 0;
    depths.set(name, here);
    for (const edge of out.get(name) ?? [])
      if (!back.has(edge)) depths.set(edge.to, Math.max(depths.get(edge.to) ?? 0, here + 1));
  }
  return depths;
}
