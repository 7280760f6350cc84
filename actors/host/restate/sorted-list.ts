/**
 * A list in order that is kept in blocks under names: what is put, found or taken out costs a few blocks, however long
 * the list is.
 *
 * I1. A put that is older than what the list has of its id changes nothing; the same one twice changes nothing more.
 * I2. An id stands in a list once, at its last place.
 * I3. A page reads MAX_READ blocks at most. Where these did not fill it, it says where to go on.
 * I4. Who reads while something is written waits for nobody: a block keeps its range of places until it is gone, and what
 *     stands in place of it is written before the order names it. Who meets one that is gone reads again. An id that
 *     moves meanwhile may be seen at both places, or at neither.
 */
export type ListEntry = { id: string; place: string; value: string };
/** `n` rises with each put of an id. `at`: null takes it out. */
export type Put = { list: string; id: string; n: number; at: { place: string; value: string } | null };
/**
 * From the last place downwards, below `from`; or from the first upwards, from `from` on. Null: all of it. `until`: no
 * place beyond this one.
 */
export type PageAsked = {
  list: string;
  order: "down" | "up";
  from: string | null;
  until: string | null;
  limit: number;
};
/** `next`: go on from there; null: there is nothing more. */
export type EntryPage = { entries: ListEntry[]; next: string | null };

/** What keeps values under names. */
export type Shelf = {
  get<Value>(name: string): Promise<Value | null>;
  set(name: string, value: unknown): void;
  clear(name: string): void;
};

const MOST = 64;
const FEW = 16;
export const MAX_READ = 16;

/** Places from `from` on, up to the next block's. */
type BlockAt = { from: string; block: number };
type Order = { blocks: BlockAt[]; last: number };
type Known = { place: string; n: number };

/** Puts all of them, in order. */
export async function putAll(shelf: Shelf, puts: readonly Put[]): Promise<void> {
  const written = new Written(shelf);
  for (const put of puts) await putOne(written, put);
  written.write();
}

async function putOne(shelf: Written, { list, id, n, at }: Put): Promise<void> {
  const known = await shelf.get<Known>(knownAs(list, id));
  if (known !== null && known.n >= n) return; // I1
  if (at !== null) await putIn(shelf, list, { id, ...at });
  if (known !== null && known.place !== at?.place) await takeOut(shelf, list, { id, place: known.place }); // I2
  if (at === null) return shelf.clear(knownAs(list, id));
  shelf.set(knownAs(list, id), { place: at.place, n } satisfies Known);
}

async function putIn(shelf: Written, list: string, entry: ListEntry): Promise<void> {
  const known = await shelf.get<Order>(orderOf(list));
  const order = known ?? { blocks: [{ from: "", block: 0 }], last: 0 };
  const index = blockFor(order, entry.place);
  const { block } = order.blocks[index] as BlockAt;
  const entries = ((await shelf.get<ListEntry[]>(blockOf(list, block))) ?? []).filter(({ id }) => id !== entry.id);
  const behind = entries.findIndex(({ place }) => place > entry.place);
  entries.splice(behind < 0 ? entries.length : behind, 0, entry);
  if (entries.length <= MOST) {
    shelf.set(blockOf(list, block), entries);
    if (known === null) shelf.set(orderOf(list), order);
    return;
  }
  // What is new mostly comes last: then the blocks before stay full.
  const isLast = behind < 0 && index === order.blocks.length - 1;
  const second = entries.splice(isLast ? MOST : MOST / 2);
  const made = { from: second[0]?.place ?? "", block: order.last + 1 };
  shelf.set(blockOf(list, made.block), second);
  if (isLast) {
    const blocks = [...order.blocks, made];
    return shelf.set(orderOf(list), { blocks, last: made.block } satisfies Order);
  }
  const first = { ...(order.blocks[index] as BlockAt), block: order.last + 2 };
  shelf.set(blockOf(list, first.block), entries);
  shelf.set(orderOf(list), {
    blocks: order.blocks.toSpliced(index, 1, first, made),
    last: first.block,
  } satisfies Order);
  shelf.clear(blockOf(list, block)); // I4
}

async function takeOut(shelf: Written, list: string, { id, place }: Pick<ListEntry, "id" | "place">): Promise<void> {
  const order = await shelf.get<Order>(orderOf(list));
  if (order === null) return;
  const index = blockFor(order, place);
  const { block } = order.blocks[index] as BlockAt;
  const entries = ((await shelf.get<ListEntry[]>(blockOf(list, block))) ?? []).filter(
    (one) => one.id !== id || one.place !== place,
  );
  const before = order.blocks[index - 1];
  if (entries.length >= FEW || before === undefined) return shelf.set(blockOf(list, block), entries);
  const together = [...((await shelf.get<ListEntry[]>(blockOf(list, before.block))) ?? []), ...entries];
  if (together.length > MOST - FEW) return shelf.set(blockOf(list, block), entries);
  const made = { from: before.from, block: order.last + 1 };
  shelf.set(blockOf(list, made.block), together);
  shelf.set(orderOf(list), { blocks: order.blocks.toSpliced(index - 1, 2, made), last: made.block } satisfies Order);
  for (const gone of [before.block, block]) shelf.clear(blockOf(list, gone)); // I4
}

/** I3. Null: it was written meanwhile, and is to be read again (I4). */
export async function pageOf(shelf: Pick<Shelf, "get">, asked: PageAsked): Promise<EntryPage | null> {
  const { list, order: way, from, until, limit } = asked;
  const order = await shelf.get<Order>(orderOf(list));
  if (order === null) return { entries: [], next: null };
  const isDown = way === "down";
  const isIn = ({ place }: ListEntry): boolean =>
    isDown
      ? (from === null || place < from) && (until === null || place >= until)
      : (from === null || place >= from) && (until === null || place <= until);
  const { blocks } = order;
  const start = from === null ? (isDown ? blocks.length - 1 : 0) : blockFor(order, from);
  const entries: ListEntry[] = [];
  for (let index = start, read = 0; index >= 0 && index < blocks.length; index += isDown ? -1 : 1, read++) {
    const at = blocks[index] as BlockAt;
    if (read === MAX_READ) return { entries, next: isDown ? (blocks[index + 1]?.from ?? null) : at.from };
    const all = await shelf.get<ListEntry[]>(blockOf(list, at.block));
    if (all === null) return null;
    const found = all.filter(isIn);
    entries.push(...(isDown ? found.reverse() : found));
    if (entries.length >= limit) {
      const page = entries.slice(0, limit);
      const last = page.at(-1)?.place ?? "";
      return { entries: page, next: isDown ? last : `${last}\u0000` };
    }
    const other = isDown ? at.from : blocks[index + 1]?.from;
    if (until !== null && other !== undefined && (isDown ? other < until : other > until)) break;
  }
  return { entries, next: null };
}

/** The last block that begins at this place or before. */
function blockFor({ blocks }: Order, place: string): number {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((blocks[middle]?.from ?? "") <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What is written is written once, at the end. */
class Written implements Shelf {
  readonly #shelf: Shelf;
  readonly #known = new Map<string, unknown>();
  readonly #changed = new Set<string>();
  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }
  async get<Value>(name: string): Promise<Value | null> {
    if (!this.#known.has(name)) this.#known.set(name, await this.#shelf.get<Value>(name));
    return this.#known.get(name) as Value | null;
  }
  set(name: string, value: unknown): void {
    this.#known.set(name, value);
    this.#changed.add(name);
  }
  clear(name: string): void {
    this.set(name, null);
  }
  /** I4: blocks, then orders that name them, then what is gone. */
  write(): void {
    const rank = (name: string): number => (this.#known.get(name) === null ? 2 : name.endsWith(ORDER) ? 1 : 0);
    for (const name of [...this.#changed].sort((a, b) => rank(a) - rank(b))) {
      const value = this.#known.get(name);
      if (value === null) this.#shelf.clear(name);
      else this.#shelf.set(name, value);
    }
  }
}

const ORDER = " order";
const orderOf = (list: string): string => list + ORDER;
const blockOf = (list: string, block: number): string => `${list} block ${block}`;
const knownAs = (list: string, id: string): string => `${list} id ${id}`;
