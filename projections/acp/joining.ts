/**
 * A reader who comes while something runs, and was not shown what stands behind it.
 *
 * I1. Rows behind it are taken in without being shown. Then what stands is shown, once, before anything else.
 */
import type { Frame } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { View } from "./view.ts";

/** It comes in behind the row `after`. `title` is the session's, null while it has none. */
export type JoinsAt = { after: number; title: string | null };
/** A part of the view that can report how it stands. */
type Standing = { tell(after: number, views: View[]): void };

export class Joining {
  #at: JoinsAt | null;
  readonly #parts: readonly Standing[];
  /** `at`: null for a reader who is shown everything. `parts` report in this order. */
  constructor(at: JoinsAt | null, parts: readonly Standing[]) {
    this.#at = at;
    this.#parts = parts;
  }

  /** Whether the next row is still behind the reader. */
  get isBehind(): boolean {
    return this.#at !== null;
  }
  /** A frame from behind was taken in: the last one lets the reader in. */
  pass(frame: Frame, views: View[]): void {
    if (this.#at === null || !("seq" in frame) || frame.seq < this.#at.after) return;
    const { after, title } = this.#at;
    this.#at = null;
    if (title !== null) views.push({ update: { sessionUpdate: "session_info_update", title: visibleLine(title) } });
    for (const part of this.#parts) part.tell(after, views);
  }
}
