/**
 * The workflows of a directory, read where that is safe and quick.
 *
 * I1. What is little is read at once, trusted or not: it costs no more than `SMALL`. More is read in this process only
 *     in a directory that the user has trusted; else by a process of its own (docs/decisions/0015-reader.md).
 *     Names in folders may be more where this process serves nobody: one file of many starts no process of its own.
 * I2. Which of them it was changes nothing in the answer, but for what takes too much.
 */
import { setImmediate } from "node:timers/promises";
import type { WorkflowSummary } from "../api/records.ts";
import { Budget, type BudgetLimits, SMALL } from "../base/budget.ts";
import { Catalogue, type Checked, type Loaded, type Workflows } from "./catalogue.ts";
import { isPath } from "./identifier.ts";
import { Reader, type ReaderOptions } from "./reader/reader.ts";

export type GuardedOptions = ReaderOptions & {
  /** Whether the user has trusted a directory; asked only where much is to be read. */
  trusts?: (cwd: string) => boolean;
  /** Names in folders that are read at once. */
  names?: number;
};

export class GuardedCatalogue implements Workflows {
  readonly #here: Catalogue;
  readonly #reader: Reader;
  readonly #trusts: (cwd: string) => boolean;
  readonly #small: BudgetLimits;

  constructor(options: GuardedOptions) {
    this.#here = new Catalogue(options);
    this.#reader = new Reader(options);
    this.#trusts = options.trusts ?? (() => false);
    this.#small = { ...SMALL, entries: options.names ?? SMALL.entries };
  }

  /** See `Catalogue.watch`: it opens no file. */
  watch(cwd: string, changed: () => void): () => void {
    return this.#here.watch(cwd, changed);
  }
  /** See `Catalogue.list`. */
  list(cwd: string): Promise<WorkflowSummary[]> {
    return this.#read(cwd, {
      tried: (budget) => this.#here.list(cwd, { budget }),
      trusted: () => this.#here.list(cwd),
      apart: () => this.#reader.list(cwd),
    });
  }
  /** See `Catalogue.warnings`. */
  warnings(cwd: string): Promise<string[]> {
    return this.#read(cwd, {
      tried: (budget) => this.#here.warnings(cwd, budget),
      trusted: () => this.#here.warnings(cwd),
      apart: () => this.#reader.warnings(cwd),
    });
  }
  /** See `Catalogue.load`. A path may lead anywhere: trust for `cwd` says nothing about it. */
  load(cwd: string, identifier: string, from: string | null = null): Promise<Loaded> {
    const apart = () => this.#reader.load(cwd, identifier, from);
    return this.#read(cwd, {
      tried: (budget) => this.#here.load(cwd, identifier, from, budget),
      trusted: isPath(identifier) ? apart : () => this.#here.load(cwd, identifier, from),
      apart,
    });
  }
  /** See `Catalogue.validate`. */
  validate(cwd: string, identifier: string): Promise<Checked> {
    const apart = () => this.#reader.validate(cwd, identifier);
    return this.#read(cwd, {
      tried: (budget) => this.#here.validate(cwd, identifier, budget),
      trusted: isPath(identifier) ? apart : () => this.#here.validate(cwd, identifier),
      apart,
    });
  }

  async #read<T>(
    cwd: string,
    {
      tried,
      trusted,
      apart,
    }: { tried: (budget: Budget) => Promise<T>; trusted: () => Promise<T>; apart: () => Promise<T> },
  ): Promise<T> {
    const budget = new Budget(this.#small, { isTrial: true });
    try {
      const answer = await tried(budget);
      if (!budget.isSpent) return answer;
    } catch (error) {
      if (!budget.isSpent) throw error;
    }
    await setImmediate(); // what waited for us has waited long enough
    return this.#trusts(cwd) ? trusted() : apart();
  }
}
