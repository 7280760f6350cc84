/** Covers `sorted-list.ts`, beside a plain array. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ListEntry,
  MAX_READ,
  type PageAsked,
  type Put,
  pageOf,
  putAll,
  type Shelf,
} from "../../../../actors/host/restate/sorted-list.ts";

class Kept implements Shelf {
  readonly values = new Map<string, string>();
  reads = 0;
  async get<Value>(name: string): Promise<Value | null> {
    this.reads++;
    const value = this.values.get(name);
    return value === undefined ? null : (JSON.parse(value) as Value);
  }
  set(name: string, value: unknown): void {
    this.values.set(name, JSON.stringify(value));
  }
  clear(name: string): void {
    this.values.delete(name);
  }
}
const put = (id: string, n: number, place: string): Put => ({ list: "l", id, n, at: { place, value: `${n}` } });
const DOWN: PageAsked = { list: "l", order: "down", from: null, until: null, limit: 50 };

async function all(kept: Kept, asked: Partial<PageAsked>): Promise<ListEntry[]> {
  const found: ListEntry[] = [];
  let from = asked.from ?? null;
  do {
    const page = (await pageOf(kept, { ...DOWN, ...asked, from }))!;
    found.push(...page.entries);
    from = page.next;
  } while (from !== null);
  return found;
}

test("whatever is put, moved and taken out, in any order and twice: pages are those of a plain list (I1, I2)", async () => {
  const step = fc.record({ id: fc.nat(150), place: fc.option(fc.nat(999)), n: fc.nat(40) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 400 }), fc.integer({ min: 1, max: 70 }), async (steps, limit) => {
      const kept = new Kept();
      const plain = new Map<string, { n: number; place: string }>();
      for (const { id, n, place } of steps) {
        const name = `i${id}`;
        const at = place === null ? null : { place: `${String(place).padStart(4, "0")} ${name}`, value: `${n}` };
        await putAll(kept, [{ list: "l", id: name, n, at }]);
        if ((plain.get(name)?.n ?? -1) >= n) continue;
        if (at === null) plain.delete(name);
        else plain.set(name, { n, place: at.place });
      }
      const expected = [...plain]
        .map(([id, { n, place }]) => ({ id, place, value: `${n}` }))
        .sort((a, b) => (a.place < b.place ? 1 : -1));
      expect(await all(kept, { limit })).toEqual(expected);
      expect(await all(kept, { limit, order: "up" })).toEqual(expected.toReversed());
      const within = expected.filter(({ place }) => place >= "0300" && place < "0700");
      expect(await all(kept, { limit, from: "0700", until: "0300" })).toEqual(within);
      const upwards = expected.filter(({ place }) => place >= "0300" && place <= "0700").toReversed();
      expect(await all(kept, { limit, order: "up", from: "0300", until: "0700" })).toEqual(upwards);
    }),
    { numRuns: 60, seed: 22 },
  );
}, 20_000);

test("a page of ten thousand reads a few blocks, wherever it begins; so does a put (I3)", async () => {
  const kept = new Kept();
  const place = (n: number): string => String(n).padStart(6, "0");
  for (let n = 0; n < 10_000; n += 100)
    await putAll(
      kept,
      Array.from({ length: 100 }, (_, i) => put(`s${n + i}`, 1, place(n + i))),
    );
  for (const from of [null, place(9_000), place(5_000), place(51)]) {
    kept.reads = 0;
    expect((await pageOf(kept, { ...DOWN, from }))?.entries).toHaveLength(50);
    expect(kept.reads).toBeLessThanOrEqual(3);
  }
  kept.reads = 0;
  await putAll(kept, [put("s17", 2, place(10_001))]);
  expect(kept.reads).toBeLessThanOrEqual(4);
  expect((await pageOf(kept, DOWN))?.entries[0]?.id).toBe("s17");
});

test("blocks that have become empty are put together: a page does not read one after the other (I3)", async () => {
  const kept = new Kept();
  const ids = Array.from({ length: 6_400 }, (_, n) => n);
  const place = (n: number): string => String(n).padStart(6, "0");
  await putAll(
    kept,
    ids.map((n) => put(`s${n}`, 1, place(n))),
  );
  await putAll(
    kept,
    ids.filter((n) => n % 32 !== 0).map((n) => ({ list: "l", id: `s${n}`, n: 2, at: null })),
  );
  kept.reads = 0;
  expect((await pageOf(kept, DOWN))?.entries).toHaveLength(50);
  expect(kept.reads).toBeLessThanOrEqual(MAX_READ / 2);
  expect(await all(kept, {})).toHaveLength(200);
});

test("who reads while something is written sees all that stands still, once, or reads again (I4)", async () => {
  const kept = new Kept();
  const steps: { name: string; value: string | null }[] = [];
  const noting: Shelf = {
    get: (name) => kept.get(name),
    set: (name, value) => void steps.push({ name, value: JSON.stringify(value) }),
    clear: (name) => void steps.push({ name, value: null }),
  };
  const after = (done: number): Kept => {
    const at = new Kept();
    for (const [name, value] of kept.values) at.values.set(name, value);
    for (const { name, value } of steps.slice(0, done))
      if (value === null) at.values.delete(name);
      else at.values.set(name, value);
    return at;
  };
  let again = 0;
  /** The order as it was then, blocks as they are later. */
  const reading = async (expected: string[], then: Kept, later: Kept): Promise<void> => {
    const get = <Value>(name: string): Promise<Value | null> =>
      name.endsWith(" order") ? then.get<Value>(name) : later.get<Value>(name);
    const page = await pageOf({ get }, { ...DOWN, limit: 9_999 });
    if (page === null) again++;
    else expect(page.entries.map(({ id }) => id).filter((id) => expected.includes(id))).toEqual(expected);
  };
  const there = new Set<string>();
  const name = (i: number): string => String((i * 7_919) % 1_000).padStart(4, "0");
  for (let i = 0; i < 400; i++) {
    const [id, isTaken] = i < 250 ? [name(i), false] : [name(i - 250), true];
    await putAll(noting, [isTaken ? { list: "l", id, n: 2, at: null } : put(id, 1, id)]);
    there.delete(id);
    const still = [...there].sort().reverse();
    const stands = Array.from({ length: steps.length + 1 }, (_, done) => after(done));
    for (const [begun, then] of stands.entries())
      for (const later of stands.slice(begun)) await reading(still, then, later);
    for (const [key, value] of stands.at(-1)!.values) kept.values.set(key, value);
    for (const { name: gone, value } of steps.splice(0)) if (value === null) kept.values.delete(gone);
    if (!isTaken) there.add(id);
  }
  expect(again).toBeGreaterThan(0);
});
