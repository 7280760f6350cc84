/** The way that a run has taken through its document, read off its rows: the steps of the run itself, in order. */
import type { Exchange, RowOf } from "../exchange.ts";

/** `names`: of the step and of all that ran below it. `status`: null for one that has no end. */
export type Visit = {
  path: string;
  name: string;
  names: Set<string>;
  status: RowOf<"step.completed">["payload"]["status"] | null;
};

export function trailOf(rows: Iterable<Exchange>, run: string): Visit[] {
  const visits: Visit[] = [];
  const byPath = new Map<string, Visit>();
  for (const row of rows) {
    if (row.run !== run || row.step === undefined) continue;
    const top = (row.step.split("/")[0] ?? "").replace(/@\d+$/, "");
    const visit = byPath.get(top);
    if (row.type === "step.started" && visit === undefined) {
      const { name } = row.payload;
      const begun: Visit = { path: top, name, names: new Set([name]), status: null };
      byPath.set(top, begun);
      visits.push(begun);
    } else if (row.type === "step.started") visit?.names.add(row.payload.name);
    else if (row.type === "step.completed" && row.step === top && visit !== undefined)
      visit.status = row.payload.status;
  }
  return visits;
}
