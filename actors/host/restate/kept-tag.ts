/** The tag of the workers that alone may do a session's work, as a row of the session: it is born with it. */
import type { NamedRow } from "./protocol.ts";
import type { ChangedRows } from "./rows.ts";

const TAG = "tag";

export class KeptTag {
  #tag: string | undefined;
  #isNew = false;
  constructor(rows: readonly NamedRow[]) {
    const row = rows.find(([name]) => name === TAG)?.[1];
    if (typeof row === "string") this.#tag = JSON.parse(row) as string;
  }

  /** As a start has it. */
  get asked(): { tag?: string } {
    return this.#tag === undefined ? {} : { tag: this.#tag };
  }
  set(tag: string | undefined): void {
    this.#tag = tag;
    this.#isNew = tag !== undefined;
  }
  take(changed: ChangedRows): NamedRow[] {
    if (!this.#isNew) return [];
    this.#isNew = false;
    return changed.own(TAG, JSON.stringify(this.#tag));
  }
}
