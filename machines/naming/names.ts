/** What the steps of one run are called, and which of them a person means. */
import type { RowOf } from "../exchange.ts";
import { type Address, addressBelow, isMeant, itemOf, NOWHERE, roundOf, textOf } from "./address.ts";

/** A step that another one is part of, or that has called the run of the other one. */
type Above = { run: string; path: string; address: string };

export class Names {
  readonly #known = new Map<string, Address>();
  /** The first round of each item, by the loop's attempt. */
  readonly #items = new Map<string, number>();

  /** The address of a step that begins. */
  begin(row: RowOf<"step.started">, above: Above | null): string {
    const { run = "", step: path = "" } = row;
    const behind = above?.run === run ? path.slice(above.path.length) : path;
    const address = addressBelow(this.#known.get(above?.address ?? "") ?? NOWHERE, behind, this.#itemOf(row));
    const text = textOf(address);
    this.#known.set(text, address);
    return text;
  }
  /** Forgets a step that nothing more begins below. */
  end(address: string): void {
    this.#known.delete(address);
  }
  of(address: string): Address | undefined {
    return this.#known.get(address);
  }
  all(): string[] {
    return [...this.#known.keys()];
  }
  /** By its address, the end of that, or what stands for it. */
  isMeant(address: string, word: string): boolean {
    const known = this.#known.get(address);
    return known !== undefined && isMeant(known, word);
  }

  /** Of two rounds with one item the later one has its number besides. */
  #itemOf({ run = "", step: path = "", payload }: RowOf<"step.started">): string | null {
    const item = itemOf(payload.round);
    const round = roundOf(path);
    if (item === null || round === null) return null;
    const key = `${run} ${path.slice(0, path.lastIndexOf("/"))} ${item}`;
    const first = this.#items.get(key) ?? round;
    this.#items.set(key, first);
    return first === round ? item : `${item} (${round})`;
  }
}
