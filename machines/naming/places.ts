/** What every step of a session's log is called, those of called runs below the step that called. */
import type { Exchange } from "../exchange.ts";
import { type Address, NOWHERE, pathAbove } from "./address.ts";
import { Names } from "./names.ts";

type Place = { run: string; path: string; address: string };

export class Places {
  readonly #names = new Names();
  readonly #begun = new Map<string, Place>();
  /** The step that called each run. */
  readonly #callers = new Map<string, Place>();

  /** Needs `run.started` and `step.started`, in the order of the log. */
  see(row: Exchange): void {
    const { run = "", step: path = "" } = row;
    if (row.type === "run.started") {
      const caller = this.#begun.get(keyOf(row.parentRun ?? "", row.parentStep ?? ""));
      if (caller !== undefined) this.#callers.set(run, caller);
    } else if (row.type === "step.started" && !this.#begun.has(keyOf(run, path))) {
      const above = this.#begun.get(keyOf(run, pathAbove(path))) ?? this.#callers.get(run) ?? null;
      this.#begun.set(keyOf(run, path), { run, path, address: this.#names.begin(row, above) });
    }
  }

  /** Of a step that has begun. */
  of(run: string, path: string): Address {
    return this.#names.of(this.#begun.get(keyOf(run, path))?.address ?? "") ?? NOWHERE;
  }

  /** Whether a run is another one, or was called by it, at any depth. */
  isOf(run: string, other: string): boolean {
    for (let at: string | undefined = run; at !== undefined; at = this.#callers.get(at)?.run)
      if (at === other) return true;
    return false;
  }
}

const keyOf = (run: string, path: string): string => `${run} ${path}`;
