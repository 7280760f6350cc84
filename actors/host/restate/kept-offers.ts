/**
 * Where a session's work can be followed word by word, as rows of the session.
 *
 * I1. They are there while something of the session runs.
 */
import type { LiveOffer, NamedRow } from "./protocol.ts";
import type { ChangedRows } from "./rows.ts";

const OFFER = "live ";

export class KeptOffers {
  readonly #kept: Map<string, string>;
  readonly #changed = new Set<string>();
  constructor(rows: readonly NamedRow[]) {
    this.#kept = new Map(rows.flatMap(([name, row]) => (name.startsWith(OFFER) && row !== null ? [[name, row]] : [])));
  }

  add({ by, ...offer }: LiveOffer): void {
    const [name, row] = [OFFER + by, JSON.stringify(offer)];
    if (this.#kept.get(name) === row) return;
    this.#kept.set(name, row);
    this.#changed.add(name);
  }
  clear(): void {
    for (const name of this.#kept.keys()) this.#changed.add(name);
    this.#kept.clear();
  }
  /** As rows, what has changed since this was asked last. */
  take(changed: ChangedRows): NamedRow[] {
    const rows = [...this.#changed].flatMap((name) => changed.own(name, this.#kept.get(name) ?? null));
    this.#changed.clear();
    return rows;
  }
}
