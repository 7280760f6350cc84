/**
 * Which step called a run, as far as a reader must know it: below a `parallel`, calls of one workflow run at once and
 * have steps of the same names, so what is shown of such a run says whose it is.
 */
import type { RowOf } from "../../machines/exchange.ts";

export class Callers {
  readonly #titles = new Map<string, string>();

  /** `title`: what the calling step is shown as. */
  note({ childRun = "" }: RowOf<"step.call_workflow.started">, title: string): void {
    this.#titles.set(childRun, title);
  }
  forget({ childRun = "" }: RowOf<"step.call_workflow.completed">): void {
    this.#titles.delete(childRun);
  }
  clear(): void {
    this.#titles.clear();
  }

  /** A title of something of this run. */
  titled(run: string, title: string): string {
    const caller = this.#titles.get(run);
    return caller === undefined ? title : `${caller} › ${title}`;
  }
}
