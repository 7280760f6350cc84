/** What a process shows of its durable machines: what it has seen, and who receives it. */

import type { Inspection } from "../../actors/troupe.ts";
import { InspectionHistory } from "../../projections/inspection/history.ts";
import { InspectionReader, type ReaderOptions } from "./reader.ts";

export class Observed {
  readonly #history = new InspectionHistory();
  readonly #readers = new Set<InspectionReader>();

  /** For `createTroupe({ inspect })`. */
  readonly hear = (seen: Inspection): void => {
    const told = this.#history.add(seen);
    for (const reader of this.#readers) reader.tell(told);
  };
  /** Of which sessions something is known. */
  sessions(): string[] {
    return this.#history.sessions();
  }

  /** Before the process ends: readers are sent what they wait for. */
  last(): void {
    for (const reader of this.#readers) reader.last();
  }

  /**
   * Sends a new reader what is kept, and from then on what happens. Answers what ends it, and what is to be called when
   * it takes more.
   */
  follow(options: ReaderOptions): { end: () => void; free: () => void } {
    const reader = new InspectionReader({
      ...options,
      tooSlow: () => {
        this.#readers.delete(reader);
        options.tooSlow();
      },
    });
    this.#readers.add(reader);
    reader.tell(this.#history.all());
    return {
      free: () => reader.free(),
      end: () => {
        this.#readers.delete(reader);
        reader.end();
      },
    };
  }
}
