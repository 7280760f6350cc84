/** The cycles of a graph: its strongly connected components that have an edge inside. Linear in its size. */

type Visit<T> = { node: T; nexts: readonly T[]; at: number };

/** Components in no promised order; a single node counts when it leads to itself. */
export function cyclesOf<T>(nodes: Iterable<T>, nextsOf: (node: T) => readonly T[]): T[][] {
  const index = new Map<T, number>();
  const low = new Map<T, number>();
  const path: T[] = [];
  const onPath = new Set<T>();
  const cycles: T[][] = [];
  const lower = (node: T, value: number): void => void low.set(node, Math.min(low.get(node) ?? value, value));

  const enterNode = (node: T): Visit<T> => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    path.push(node);
    onPath.add(node);
    return { node, nexts: nextsOf(node), at: 0 };
  };
  const leaveNode = (node: T): void => {
    if (low.get(node) !== index.get(node)) return;
    const component = path.splice(path.lastIndexOf(node));
    for (const each of component) onPath.delete(each);
    if (component.length > 1 || nextsOf(node).includes(node)) cycles.push(component);
  };

  for (const root of nodes) {
    if (index.has(root)) continue;
    const visits = [enterNode(root)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const next = visit.nexts[visit.at];
      visit.at += 1;
      if (next === undefined) {
        visits.pop();
        leaveNode(visit.node);
        const above = visits.at(-1);
        if (above !== undefined) lower(above.node, low.get(visit.node) ?? 0);
      } else if (!index.has(next)) {
        visits.push(enterNode(next));
      } else if (onPath.has(next)) {
        lower(visit.node, index.get(next) ?? 0);
      }
    }
  }
  return cycles;
}
