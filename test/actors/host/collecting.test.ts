/** How a store is kept small: what is taken out, in what pieces, and how long it is left to others then. */
import { beforeEach, describe, expect, test } from "vitest";
import { ActorCache } from "../../../actors/host/actor-cache.ts";
import { collecting } from "../../../actors/host/collecting.ts";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import { GIVEN_UP } from "../../../actors/host/storage.ts";
import type { Key } from "../../../machines/model.ts";
import { MACHINES, sessionKey } from "../../support/host-machines.ts";

let store: MemoryStorage;
let family: ActorCache;
/** All that happens, in order: `wait 5` is a pause of so many milliseconds. */
let heard: string[];
beforeEach(() => {
  store = new MemoryStorage();
  family = new ActorCache(store);
  for (const [kind, machine] of MACHINES) family.define(kind as never, machine);
  heard = [];
});
const SNAP = JSON.stringify({ v: "1", value: "idle", context: {}, status: "active", children: {}, starts: 0 });
function resting(name: string, owner: string | null = null): Key {
  const key = sessionKey(name);
  store.sessions.open(key, "me", "/w", "", 0);
  store.sessions.leave(key, 1, owner);
  store.actors.add({ key, session: key, parent: null, childId: "", nonce: 0 }, "{}", SNAP);
  store.attachments.keep(key, [{ id: "a", data: "x" } as never], 9);
  store.conversations.add(key, "c", ["x"]);
  return key;
}
/** Each session, or each shrinking, takes `cost` milliseconds. */
function collector({ cost = 1, failing = "" } = {}) {
  let now = 1_000;
  const { shrink } = store.rest;
  store.rest.shrink = (pages) => {
    heard.push(`shrink ${pages}`);
    now += cost;
    shrink(pages);
  };
  return collecting({
    ...{ store, family },
    owner: { self: "me", prove: () => undefined, isAlive: (owner) => owner !== "dead" },
    clock: {
      elapsed: () => now,
      after: (ms, act) => {
        heard.push(`wait ${ms}`);
        act();
        return () => undefined;
      },
    },
    patiently: async (act) => act(),
    failpoint: (name) => {
      heard.push(name);
      if (name === "collect.inside") now += cost;
      if (name === failing) throw new Error(`fails ${name}`);
    },
  });
}
const isThere = (key: Key): boolean[] => [
  store.sessions.find(key) !== undefined,
  family.load(key) !== undefined,
  store.attachments.read(key, "a") !== undefined,
  store.conversations.read(key, "c").length > 0,
];
const [YES, NO] = [true, false].map((is) => new Array(4).fill(is));

describe("a commit takes out what its time allows, and then the store is left to others", () => {
  const inside = (count: number): string[] => new Array(count).fill("collect.inside");
  test.each([
    [1, [...inside(5), "collect.after", "wait 5"]],
    [2, [...inside(4), "collect.after", "wait 8", ...inside(1), "collect.after", "wait 5"]],
    [3, [...inside(3), "collect.after", "wait 9", ...inside(2), "collect.after", "wait 6"]],
    [50, new Array(5).fill([...inside(1), "collect.after", "wait 50"]).flat()],
  ])("sessions that take %i milliseconds each", async (cost, steps) => {
    const all = ["a", "b", "c", "d", "e"].map((name) => resting(name));
    expect(await collector({ cost }).collect(all)).toBe(5);
    expect(heard).toEqual(steps);
    expect(all.map(isThere)).toEqual(all.map(() => NO));
  });
});

test("it takes out those that rest, and leaves all others whole", async () => {
  const [free, given, dead] = [resting("free"), resting("given", GIVEN_UP), resting("dead", "dead")];
  const [held, own, works, runs, other] = [
    resting("held", "you"),
    resting("own", "me"),
    resting("works"),
    resting("runs"),
    resting("other"),
  ];
  store.works.start(works, { key: works, id: "w", nonce: 0 });
  const row = { seq: 1, at: 0, type: "run.started", run: "r", payload: { workflow: "w" } };
  store.log.append(runs, row as never, JSON.stringify(row));
  for (const key of [free, held]) family.load(key);
  const asked = [sessionKey("none"), held, free, own, works, given, runs, dead];
  expect(await collector().collect(asked)).toBe(3);
  expect(heard).toEqual([...new Array(3).fill("collect.inside"), "collect.after", "wait 5"]);
  expect([free, given, dead].map(isThere)).toEqual([NO, NO, NO]);
  expect([held, own, works, runs, other].map(isThere)).toEqual([YES, YES, YES, YES, YES]);
  expect(store.begun).toBe(false);
});

test("it stops when it is enough, and says how many went", async () => {
  const all = ["a", "b", "c"].map((name) => resting(name));
  let asked = 0;
  expect(await collector({ cost: 8 }).collect(all, () => ++asked > 2)).toBe(2);
  expect([asked, all.map(isThere)]).toEqual([3, [NO, NO, YES]]);
  expect(await collector().collect(all, () => true)).toBe(0);
  expect(await collector().collect([])).toBe(0);
  expect(all.map(isThere)).toEqual([NO, NO, YES]);
});

test("what is left beside the log of sessions that are no more goes first", async () => {
  const kept = resting("kept");
  store.attachments.keep("session/gone", [{ id: "a", data: "x" } as never], 9);
  store.conversations.add("session/gone", "c", ["x"]);
  store.rest.orphans = () => ["session/gone"];
  expect(await collector().collect([], () => true)).toBe(0);
  expect([isThere("session/gone"), isThere(kept), heard]).toEqual([NO, YES, []]);
});

test("a commit that fails takes nothing out", async () => {
  const all = [resting("a"), resting("b")];
  await expect(collector({ failing: "collect.inside" }).collect(all)).rejects.toThrow("fails collect.inside");
  expect([all.map(isThere), heard, store.begun]).toEqual([[YES, YES], ["collect.inside"], false]);
});

describe("where the disk is full, the log of the commits before is brought in first", () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  /** Commits are refused until the log was brought in `many` times. */
  const fullUntil = (many: number, refused: Error = full): void => {
    let brought = 0;
    store.rest.bringIn = () => {
      heard.push("bring in");
      brought++;
    };
    const { commit } = store;
    store.commit = () => {
      if (brought < many) throw refused;
      commit.call(store);
    };
  };
  test("and then the same commit is done", async () => {
    const all = ["a", "b"].map((name) => resting(name));
    fullUntil(1);
    expect(await collector().collect(all)).toBe(2);
    const inside = ["collect.inside", "collect.inside"];
    expect(heard).toEqual([...inside, "bring in", ...inside, "collect.after", "wait 5"]);
    expect(all.map(isThere)).toEqual([NO, NO]);
  });
  test("once, and not for another fault", async () => {
    const kept = resting("kept");
    fullUntil(2);
    await expect(collector().collect([kept])).rejects.toBe(full);
    expect(heard.filter((what) => what === "bring in")).toHaveLength(1);
    heard = [];
    const other = new Error("other");
    fullUntil(1, other);
    await expect(collector().collect([kept])).rejects.toBe(other);
    expect(heard).not.toContain("bring in");
  });
  test("and last, so that the file becomes small", async () => {
    fullUntil(0);
    store.rest.size = () => ({ used: 0, free: 0, shrinks: true });
    await collector().shrink();
    expect(heard).toEqual(["bring in"]);
  });
});

describe("free room is given back", () => {
  const shrunk = async (shrinks: boolean, ...free: number[]): Promise<string[]> => {
    store.rest.size = () => ({ used: 0, free: free.shift() as number, shrinks });
    await collector({ cost: 7 }).shrink();
    return heard;
  };
  const once = ["shrink 200", "wait 7"];
  test("until there is none", async () => {
    expect(await shrunk(true, 900, 400, 0, 5)).toEqual([...once, ...once]);
  });
  test("until no more comes free", async () => {
    expect(await shrunk(true, 900, 400, 400, 5)).toEqual([...once, ...once]);
  });
  test("not where it cannot be, nor where there is none", async () => {
    expect(await shrunk(false, 900)).toEqual([]);
    expect(await shrunk(true, 0)).toEqual([]);
  });
});

test("what rests, how much is listed and how large it is, is the store's to say", () => {
  const a = resting("a");
  const { resting: rests, listedRuns, size } = collector();
  store.rest.listedRuns = () => 4;
  expect([rests(), listedRuns(), size()]).toEqual([
    [{ session: a, updated: 0, runs: 0, last: 0 }],
    4,
    { used: 0, free: 0, shrinks: false },
  ]);
});
