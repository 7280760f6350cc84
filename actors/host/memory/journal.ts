/**
 * What a transaction has changed in memory, and how each change is taken back.
 *
 * I1. Changes are taken back in the opposite order, so that each finds what it left.
 */
/** Hears which row of which table is about to change. */
export type Touched = (table: object, key: unknown) => void;

export class Journal {
  readonly #touched: Touched | undefined;
  #undo: (() => void)[] | null = null;
  constructor(touched?: Touched) {
    this.#touched = touched;
  }

  get begun(): boolean {
    return this.#undo !== null;
  }
  begin(): void {
    this.#undo ??= [];
  }
  /** A change; outside of a transaction it holds at once. */
  note(undo: () => void, table: object, key: unknown): void {
    this.#undo?.push(undo);
    this.#touched?.(table, key);
  }
  commit(): void {
    this.#undo = null;
  }
  rollback(): void {
    const undo = this.#undo ?? [];
    this.#undo = null;
    for (const one of undo.reverse()) one();
  }
}

/** A map whose changes a journal knows. */
export class Table<K, V> {
  readonly #rows = new Map<K, V>();
  readonly #journal: Journal;
  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get size(): number {
    return this.#rows.size;
  }
  get(key: K): V | undefined {
    return this.#rows.get(key);
  }
  has(key: K): boolean {
    return this.#rows.has(key);
  }
  /** In no order that counts. */
  values(): V[] {
    return [...this.#rows.values()];
  }
  entries(): [K, V][] {
    return [...this.#rows.entries()];
  }
  set(key: K, row: V): void {
    const before = this.#rows.get(key);
    this.#journal.note(() => (before === undefined ? this.#rows.delete(key) : this.#rows.set(key, before)), this, key);
    this.#rows.set(key, row);
  }
  delete(key: K): void {
    const before = this.#rows.get(key);
    if (before === undefined) return;
    this.#journal.note(() => this.#rows.set(key, before), this, key);
    this.#rows.delete(key);
  }
}

/** Rows that are only ever added. */
export class Rows<V> {
  readonly all: V[] = [];
  readonly #journal: Journal;
  constructor(journal: Journal) {
    this.#journal = journal;
  }
  add(row: V): void {
    this.#journal.note(() => this.all.pop(), this, this.all.length);
    this.all.push(row);
  }
}
