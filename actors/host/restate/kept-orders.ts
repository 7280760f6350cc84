/** What a session's machines have said to its work, kept with the session until that work has ended. */
import type { Which } from "../workers.ts";
import type { NamedRow, WorkOrder } from "./protocol.ts";
import { type ChangedRows, workName } from "./rows.ts";

const ROW = "orders ";

export class KeptOrders {
  readonly #orders = new Map<string, WorkOrder[]>();
  /** The names of work whose orders have changed. */
  readonly #changed = new Set<string>();
  constructor(rows: readonly NamedRow[]) {
    for (const [name, row] of rows)
      if (name.startsWith(ROW) && row !== null)
        this.#orders.set(name.slice(ROW.length), JSON.parse(row) as WorkOrder[]);
  }

  add(which: Which, order: WorkOrder): void {
    const name = workName(which);
    this.#orders.set(name, [...(this.#orders.get(name) ?? []), order]);
    this.#changed.add(name);
  }
  end(which: Which): void {
    const name = workName(which);
    if (this.#orders.delete(name)) this.#changed.add(name);
  }
  /** As rows, what has changed since this was asked last. */
  take(changed: ChangedRows): NamedRow[] {
    const rows = [...this.#changed].flatMap((name) => {
      const orders = this.#orders.get(name);
      return changed.own(ROW + name, orders === undefined ? null : JSON.stringify(orders));
    });
    this.#changed.clear();
    return rows;
  }
}
