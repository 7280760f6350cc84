/**
 * A list as its reader reports it, and as it is where the reader was killed in the middle.
 *
 * I1. It is complete: what was found and not read is in it, with that as its fault.
 */
import type { WorkflowSummary } from "../../api/records.ts";
import type { ReaderLimits, Said } from "./words.ts";

export class Listing {
  /** Files at which a reader died. */
  readonly skip: string[] = [];
  readonly #all = new Map<string, WorkflowSummary>();
  readonly #read = new Set<string>();
  #open: string | null = null;
  isWhole = false;

  begin(): void {
    this.#all.clear();
    this.#read.clear();
    this.#open = null;
  }

  hear(said: Said): void {
    switch (said.type) {
      case "found":
        for (const summary of said.summaries) this.#all.set(summary.id, summary);
        return;
      case "opens":
        this.#open = said.id;
        return;
      case "read":
        for (const summary of said.summaries) {
          this.#all.set(summary.id, summary);
          this.#read.add(summary.id);
          if (summary.id === this.#open) this.#open = null;
        }
        return;
      case "listed":
        this.isWhole = true;
        return;
      case "warnings":
      case "validation":
      case "loaded":
      case "fault":
        return;
      default:
        said satisfies never;
    }
  }

  /** The reader has gone. Where it died at a file, the next one leaves that alone. */
  end(): void {
    if (!this.isWhole && this.#open !== null) this.skip.push(this.#open);
  }

  summaries({ ms, heapMiB }: ReaderLimits): WorkflowSummary[] {
    const message = `not read: the workflows that can be found from here take more than ${ms / 1000} s or ${heapMiB} MiB to be read`;
    const fault = { code: "WORKFLOW.PARSE.LIMIT_EXCEEDED", message };
    return [...this.#all.values()].map((summary) =>
      this.isWhole || this.#read.has(summary.id) ? summary : { ...summary, fault: summary.fault ?? fault },
    );
  }
}
