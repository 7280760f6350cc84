/**
 * The way that a run has taken through its document, read off its rows: the steps of the run itself, in order, and the
 * rounds of those that are loops.
 */
import type { Exchange, RowOf } from "../exchange.ts";
import { type Address, pathAbove, roundOf } from "../naming/address.ts";
import { Names } from "../naming/names.ts";

/** `item`: what the round is called after it; null where it has no name. */
export type RoundSeen = { index: number; address: Address; item: string | null };
/**
 * `names`: of the step and of all that ran below it. `status`: null for one that has no end. `rounds`: of its last attempt,
 * by their index.
 */
export type Visit = {
  path: string;
  name: string;
  names: Set<string>;
  status: RowOf<"step.completed">["payload"]["status"] | null;
  rounds: Map<number, RoundSeen>;
};

export function trailOf(rows: Iterable<Exchange>, run: string): Visit[] {
  const visits: Visit[] = [];
  const byPath = new Map<string, Visit>();
  const addresses = new Names();
  for (const row of rows) {
    if (row.run !== run || row.step === undefined) continue;
    const top = (row.step.split("/")[0] ?? "").replace(/@\d+$/, "");
    const visit = byPath.get(top);
    if (row.type === "step.started" && visit === undefined) {
      const { name } = row.payload;
      const begun: Visit = { path: top, name, names: new Set([name]), status: null, rounds: new Map() };
      addresses.begin(row, null);
      byPath.set(top, begun);
      visits.push(begun);
    } else if (row.type === "step.started" && visit !== undefined) {
      visit.names.add(row.payload.name);
      if (pathAbove(row.step) === top) seeRound(visit, row, addresses);
    } else if (row.type === "step.completed" && row.step === top && visit !== undefined)
      visit.status = row.payload.status;
  }
  return visits;
}

function seeRound({ path, rounds }: Visit, row: RowOf<"step.started">, addresses: Names): void {
  const number = roundOf(row.step ?? "");
  if (number === null) return;
  const text = addresses.begin(row, { run: row.run ?? "", path, address: path });
  const address = addresses.of(text);
  const index = number - 1;
  if (address !== undefined) rounds.set(index, { index, address, item: row.payload.round?.item ?? null });
}
