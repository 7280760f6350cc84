/** Rows of a session that stand in no table of the storage: each kind in a file of its own. */
import { KeptOffers } from "./kept-offers.ts";
import { KeptOrders } from "./kept-orders.ts";
import { KeptTag } from "./kept-tag.ts";
import { KeptWaits } from "./kept-waits.ts";
import type { NamedRow } from "./protocol.ts";
import type { ChangedRows } from "./rows.ts";

export class KeptBeside {
  readonly orders: KeptOrders;
  readonly offers: KeptOffers;
  readonly waits: KeptWaits;
  readonly tag: KeptTag;
  constructor(rows: readonly NamedRow[]) {
    this.orders = new KeptOrders(rows);
    this.offers = new KeptOffers(rows);
    this.waits = new KeptWaits(rows);
    this.tag = new KeptTag(rows);
  }

  /** What has changed since this was asked last. */
  take(changed: ChangedRows): NamedRow[] {
    return [this.orders, this.offers, this.waits, this.tag].flatMap((kept) => kept.take(changed));
  }
}
