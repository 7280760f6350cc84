/** Covers `actor-cache.ts`: what is read, written, kept and forgotten of actors. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  type Actor,
  ActorCache,
  kindOf,
  MAX_AT_WORK,
  MAX_CACHED,
  NOTHING_KEPT,
} from "../../../actors/host/actor-cache.ts";
import { restored } from "../../../actors/host/interpret.ts";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import type { Mask } from "../../../actors/masking/masking.ts";
import type { Key } from "../../../machines/model.ts";
import { MACHINES, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const T = sessionKey("t");
const STEP: Key = "step/a";
const CHILD = { src: "step", nonce: 3, key: STEP };
const BIRTH = { self: S, parent: null, at: 5 };
const SNAP = { v: "1", value: "idle", context: { label: "x" }, status: "active", children: { a: CHILD }, starts: 4 };

let store: MemoryStorage;
let family: ActorCache;
const familyOf = (storage: MemoryStorage): ActorCache => {
  const made = new ActorCache(storage);
  for (const [kind, machine] of MACHINES) made.define(kind as never, machine);
  return made;
};
beforeEach(() => {
  store = new MemoryStorage();
  family = familyOf(store);
});
const put = (key: Key, session = key, parent: Key | null = null, snap: object = SNAP): void =>
  store.actors.add({ key, session, parent, childId: "c", nonce: 2 }, JSON.stringify(BIRTH), JSON.stringify(snap));
/** As a host makes one. */
function actor(key: Key, more: Partial<Actor> = {}): Actor {
  const machine = family.machineOf(kindOf(key));
  const snapshot = restored(machine, { ...SNAP, ...more.snapshot } as never, BIRTH);
  const who = { key, kind: kindOf(key), session: S, parent: null, childId: "c", nonce: 2, birth: BIRTH };
  return { ...who, children: new Map([["a", CHILD]]), starts: 4, isNew: true, kept: NOTHING_KEPT(), ...more, snapshot };
}

test("twice as many stay while work runs, twice over", () => {
  expect([MAX_CACHED, MAX_AT_WORK]).toEqual([2_048, 8_192]);
});

test("a machine is known by its kind, which a key begins with", () => {
  expect([kindOf("step/a/b"), family.isMachine("step"), family.isMachine("nobody")]).toEqual(["step", true, false]);
  expect(family.machineOf("step")).toBe(new Map<string, unknown>(MACHINES).get("step"));
  expect(() => family.machineOf("run")).toThrow('no machine "run"');
});

test("an actor is loaded whole, and once", () => {
  put(S);
  const { snapshot, ...rest } = family.load(S) as Actor;
  expect(rest).toEqual({
    ...{ key: S, kind: "session", session: S, parent: null, childId: "c", nonce: 2, birth: BIRTH },
    ...{ children: new Map([["a", CHILD]]), starts: 4, isNew: false, kept: { rows: [], portions: [] } },
  });
  expect([snapshot.value, snapshot.context]).toEqual(["idle", { label: "x", birth: BIRTH }]);
  store.actors.drop(S);
  expect(family.load(S)).toMatchObject(rest);
  expect([family.sessionOf(S), family.load(T), family.read(T), family.sessionOf(T)]).toEqual([
    S,
    undefined,
    undefined,
    undefined,
  ]);
});

test("what is read of one is what would be written of it", () => {
  put(S);
  const { v, value, context, status, children, starts } = family.read(S) ?? {};
  expect({ v, value, context, status, children, starts }).toEqual({ ...SNAP, v: expect.stringMatching(/\.v\d+$/) });
  expect(family.snap(family.load(S) as Actor)).toEqual(family.read(S));
});

test("whether one hears an event is asked of its state now", () => {
  put(S);
  const heard = (key: Key, type: string) => family.hears(key, { type });
  expect([heard(S, "alarm.set"), heard(S, "nobody.knows"), heard(T, "alarm.set")]).toEqual([true, false, false]);
});

describe("an actor is written", () => {
  test("with its birth when it is new, without it later, and nothing else of it is held", () => {
    const one = actor(S);
    family.add(one);
    family.save(one);
    expect([one.isNew, store.actors.load(S)]).toEqual([
      false,
      {
        ...{ session: S, parent: null, childId: "c", nonce: 2 },
        ...{ birth: JSON.stringify(BIRTH), snap: JSON.stringify(family.snap(one)) },
      },
    ]);
    one.starts = 9;
    one.birth = { other: true };
    family.save(one);
    expect(store.actors.load(S)).toMatchObject({
      birth: JSON.stringify(BIRTH),
      snap: JSON.stringify({ ...family.snap(one), starts: 9 }),
    });
    expect(familyOf(store).load(S)?.starts).toBe(9);
  });
  test("as the mask hides it, and read as the mask reveals it", () => {
    const mask = {
      hide: (value: unknown) => JSON.stringify({ hidden: value }),
      reveal: (text: string) => (JSON.parse(text) as { hidden: unknown }).hidden,
    };
    store = new MemoryStorage(mask as unknown as Mask);
    family = familyOf(store);
    family.save(actor(S));
    expect(store.actors.load(S)?.birth).toBe(JSON.stringify({ hidden: BIRTH }));
    expect(family.load(S)).toMatchObject({ birth: BIRTH, snapshot: { context: { label: "x", birth: BIRTH } } });
  });
});

describe("of one that has ended", () => {
  const ended = (parent: Key | null, status: string, ...tags: string[]): Actor => {
    const one = actor(S, { parent });
    one.snapshot = Object.assign(Object.create(null), one.snapshot, { status, tags: new Set(tags) });
    one.isNew = false;
    return one;
  };
  const isLeft = (one: Actor): boolean => {
    put(S);
    family.bury(one);
    return store.actors.load(S) !== undefined;
  };
  test.each<[string, boolean, () => Actor]>([
    ["a session's own, done, and to be kept", true, () => ended(S, "done", "kept")],
    ["another's", false, () => ended(STEP, "done", "kept")],
    ["that is not done", false, () => ended(S, "error", "kept")],
    ["that says nothing of it", false, () => ended(S, "done", "other")],
  ])("the last state stays or goes: %s: %s", (_, stays, one) => {
    expect(isLeft(one())).toBe(stays);
  });
  test("nothing was written of one that is new", () => {
    put(S);
    family.bury(actor(S));
    expect(store.actors.load(S)?.snap).toBe(JSON.stringify(SNAP));
  });
});

test("a row's place follows the last one's, and its time is no earlier", () => {
  expect([family.head(S), family.next(S, 7), family.next(S, 5), family.next(S, 9), family.head(S)]).toEqual([
    0,
    { seq: 1, at: 7 },
    { seq: 2, at: 7 },
    { seq: 3, at: 9 },
    3,
  ]);
  expect(family.next(T, 2)).toEqual({ seq: 1, at: 2 });
  store.log.append(S, { seq: 1, at: 4, type: "notice" } as never, "{}");
  family.forget(() => false);
  expect([family.head(S), family.head(T)]).toEqual([1, 0]);
});

describe("what is forgotten", () => {
  const loaded = (...keys: Key[]) => keys.map((key) => family.load(key));
  test("is that of some sessions, or one alone", () => {
    put(S);
    put(STEP, S, S, { ...SNAP, value: "working" });
    put(T);
    const [s, step, t] = loaded(S, STEP, T);
    family.forget((session) => session === S);
    const again = loaded(S, STEP, T);
    expect([again[0] === s, again[1] === step, again[2] === t]).toEqual([false, false, true]);
    family.drop(t as Actor);
    const last = loaded(S, STEP, T);
    expect([last[0] === again[0], last[1] === again[1], last[2] === t]).toEqual([true, true, false]);
  });
  test("is what was loaded first, where there are too many, and heads only then", () => {
    const keys = ["a", "b", "c"].map(sessionKey);
    for (const key of keys) put(key);
    const all = loaded(...keys);
    for (const key of keys) family.next(key, 1);
    family.trim(3);
    expect([loaded(...keys), keys.map((key) => family.head(key))]).toEqual([all, [1, 1, 1]]);
    family.trim(2);
    expect(keys.map((key) => family.head(key))).toEqual([0, 0, 0]);
    for (const key of keys) store.actors.drop(key);
    expect(loaded(...keys)).toEqual([undefined, all[1], all[2]]);
  });
});
