/** Covers `memory-storage.ts`: transactions, and what several storages over the same tables see of each other. */
import { expect, test } from "vitest";
import { MemoryStorage } from "../../../../actors/host/memory/memory-storage.ts";
import { Tables } from "../../../../actors/host/memory/tables.ts";
import { NO_MASKING } from "../../../../actors/masking/masking.ts";
import { opens } from "./both.ts";

const A = "session/a";
const open = (storage: MemoryStorage): void => opens(storage, A, "me", 1);
const isThere = ({ sessions }: MemoryStorage): boolean => sessions.find(A) !== undefined;

test("what is rolled back never was (I1)", () => {
  const storage = new MemoryStorage();
  expect([storage.begun, storage.mask === NO_MASKING, storage.isBusy()]).toEqual([false, true, false]);
  storage.begin();
  storage.begin();
  open(storage);
  expect([storage.begun, isThere(storage)]).toEqual([true, true]);
  storage.rollback();
  expect([storage.begun, isThere(storage)]).toEqual([false, false]);
  storage.begin();
  open(storage);
  storage.commit();
  storage.rollback();
  storage.commit();
  expect([storage.begun, isThere(storage)]).toEqual([false, true]);
});

test("who has closed it writes nothing any more (I2)", () => {
  const storage = new MemoryStorage();
  storage.close();
  expect(() => storage.begin()).toThrow("the storage is closed");
});

test("each sees what others commit, and knows that they did (I3)", () => {
  const tables = new Tables();
  const [one, two] = [new MemoryStorage(NO_MASKING, tables), new MemoryStorage(NO_MASKING, tables)];
  const seen = () => [one.foreignCommits(), one.foreignChange(), two.foreignCommits(), two.foreignNews()];
  one.begin();
  open(one);
  one.commit();
  one.commit();
  expect([isThere(two), ...seen()]).toEqual([true, 0, false, 1, true]);
  expect(seen()).toEqual([0, false, 1, false]);
  two.begin();
  two.commit();
  const late = new MemoryStorage(NO_MASKING, tables);
  expect([...seen(), late.foreignChange()]).toEqual([1, true, 1, false, false]);
});
