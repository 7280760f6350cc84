/**
 * The rows of a run that are asked for, and their order where no more are waited for: what belongs to a step stands
 * together, branches one after the other.
 *
 * I1. Rows of one step keep their order, and a step stands where it began.
 */
import type { Exchange } from "../../machines/exchange.ts";
import type { RunFold } from "./tree.ts";

/** `step`: as a person names it. `since`: milliseconds since the epoch. Null: whatever. */
export type Selection = { step: string | null; since: number | null; failed: boolean };

type Group = (Exchange | Group)[];

/** `fold` has seen the rows. */
export function grouped(rows: readonly Exchange[], fold: RunFold): Exchange[] {
  const top: Group = [];
  const groups = new Map<string, Group>();
  for (const row of rows) {
    let group = top;
    for (const address of fold.placeOf(row)) {
      const known = groups.get(address);
      const next: Group = known ?? [];
      if (known === undefined) {
        groups.set(address, next);
        group.push(next);
      }
      group = next;
    }
    group.push(row);
  }
  return flat(top);
}

function flat(group: Group): Exchange[] {
  const rows: Exchange[] = [];
  const open: Iterator<Exchange | Group>[] = [group.values()];
  for (;;) {
    const next = open.at(-1)?.next();
    if (next === undefined) return rows;
    if (next.done === true) open.pop();
    else if (Array.isArray(next.value)) open.push(next.value.values());
    else rows.push(alone(next.value));
  }
}

/** Nothing comes between the words of a step: they need not say whose they are. */
const alone = (row: Exchange): Exchange =>
  row.type === "step.started" ? { ...row, payload: { ...row.payload, parallel: false } } : row;

/** Whether a row that the fold has seen is asked for. */
export function selects({ step, since, failed }: Selection, fold: RunFold): (row: Exchange) => boolean {
  const failures = failed ? new Set(fold.failed(0).map(({ address }) => address)) : null;
  const meant = new Map<string, boolean>();
  const isAsked = (address: string): boolean => {
    const known = meant.get(address);
    if (known !== undefined) return known;
    const is = (step === null || fold.names.isMeant(address, step)) && (failures === null || failures.has(address));
    meant.set(address, is);
    return is;
  };
  return (row) => {
    if (!fold.holds(row) || (since !== null && row.at < since)) return false;
    const address = fold.placeOf(row).at(-1);
    return address === undefined ? step === null && failures === null : isAsked(address);
  };
}
