/**
 * What one look at a directory may cost: the bytes that are read, what may become keys and items in them, and the
 * names of its folders.
 *
 * I1. What is spent is counted before the costly part of the work is done.
 * I2. Once something was refused, all is: what is found after that is not to be believed.
 */
import { TroupeError } from "../errors/troupe-error.ts";

export type BudgetLimits = {
  bytes: number;
  /** Names in the folders that are looked into. */
  entries: number;
  /** Characters that may begin a key or an item of YAML: parsing takes time by these. */
  marks: number;
};

/**
 * What is read without a second thought in the process that serves: it takes some 60 ms at worst, and is enough for the
 * workflows that most projects have.
 */
export const SMALL: BudgetLimits = { bytes: 32 * 1024, entries: 128, marks: 3_000 };

const MARKS = new Set([..."\n:,[{-?&*!"].map((mark) => mark.charCodeAt(0)));

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #spent: BudgetLimits = { bytes: 0, entries: 0, marks: 0 };
  #isSpent = false;
  /** A try with this one is given up once it is spent: what it found is dropped. */
  readonly isTrial: boolean;

  constructor(limits: BudgetLimits, { isTrial = false }: { isTrial?: boolean } = {}) {
    this.#limits = limits;
    this.isTrial = isTrial;
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Bytes that will be read later: where they are too many, it is spent at once. */
  foresee(bytes: number): void {
    if (this.#spent.bytes + bytes > this.#limits.bytes) this.#isSpent = true;
  }
  /** Names that were met in a folder. */
  entries(count: number): void {
    this.#spend("entries", count, "files and folders");
  }
  /** Bytes that are about to be read. */
  bytes(count: number): void {
    this.#spend("bytes", count, "bytes");
  }
  /** A text that is about to be parsed. */
  text(text: string): void {
    if (this.#limits.marks === Number.POSITIVE_INFINITY) return;
    let marks = 0;
    for (let at = 0; at < text.length; at++) if (MARKS.has(text.charCodeAt(at))) marks++;
    this.#spend("marks", marks, "keys and items");
  }

  #spend(of: keyof BudgetLimits, count: number, what: string): void {
    this.#spent[of] += count;
    if (!this.#isSpent && this.#spent[of] <= this.#limits[of]) return;
    this.#isSpent = true;
    const message = `not read: the workflows that can be found from here have more than ${this.#limits[of]} ${what} in all`;
    throw new TroupeError("WORKFLOW.PARSE.LIMIT_EXCEEDED", message);
  }
}
