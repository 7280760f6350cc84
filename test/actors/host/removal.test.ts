/** A session that is taken out of its store: when it may be, and all that goes with it. */
import { beforeEach, describe, expect, test } from "vitest";
import { ActorCache } from "../../../actors/host/actor-cache.ts";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import { remove, takeOut } from "../../../actors/host/removal.ts";
import { GIVEN_UP } from "../../../actors/host/storage.ts";
import type { Key } from "../../../machines/model.ts";
import { MACHINES, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const T = sessionKey("t");
let store: MemoryStorage;
let family: ActorCache;
let points: string[];
/** What is dropped of actors, and what of the mail that they have seen, in order. */
let dropped: string[];
beforeEach(() => {
  store = new MemoryStorage();
  family = new ActorCache(store);
  for (const [kind, machine] of MACHINES) family.define(kind as never, machine);
  points = [];
  dropped = [];
  const { drop } = store.actors;
  const { forget } = store.mail;
  store.actors.drop = (key) => {
    dropped.push(key);
    drop(key);
  };
  store.mail.forget = (key) => {
    dropped.push(`mail of ${key}`);
    forget(key);
  };
  for (const session of [S, T]) {
    store.sessions.open(session, "me", "/w", "", 0);
    store.sessions.leave(session, 1, null);
    add(session, session);
    store.attachments.keep(session, [{ id: "a", data: "x" } as never], 9);
    store.conversations.add(session, "c", ["x"]);
  }
});
function add(key: Key, session: Key, children: { [id: string]: Key | null } = {}, value = "idle"): void {
  const known = Object.entries(children).map(([id, child]) => [id, { src: "step", nonce: 1, key: child }]);
  const snap = { v: "1", value, context: {}, status: "active", children: Object.fromEntries(known), starts: 0 };
  store.actors.add({ key, session, parent: null, childId: "", nonce: 0 }, "{}", JSON.stringify(snap));
}
const host = (failing?: string) => ({
  ...{ store, family },
  owner: { self: "me", prove: () => undefined, isAlive: (owner: string) => owner !== "dead" },
  failpoint: (name: string): void => {
    points.push(name);
    if (name === failing) throw new Error(`fails ${name}`);
  },
});
const left = (session: Key) => ({
  ...{ row: store.sessions.find(session) !== undefined, actor: family.load(session) !== undefined },
  ...{ attachment: store.attachments.read(session, "a")?.id, messages: store.conversations.read(session, "c") },
});
const ALL = { row: true, actor: true, attachment: "a", messages: ["x"] };
const NONE = { row: false, actor: false, attachment: undefined, messages: [] };

test("it goes whole, and no other one", () => {
  family.load(S);
  const other = family.load(T);
  expect(remove(S, host())).toBe("removed");
  expect(points).toEqual(["commit.before", "commit.inside", "commit.after"]);
  expect([left(S), left(T), store.begun]).toEqual([NONE, ALL, false]);
  expect(family.load(T)).toBe(other);
});

test("what is not there counts as removed, and a host needs no failpoints", () => {
  const { failpoint: _, ...plain } = host();
  expect(remove("session/none", plain)).toBe("removed");
  expect(remove(S, plain)).toBe("removed");
  expect(left(S)).toEqual(NONE);
});

describe("it stays", () => {
  test.each([
    ["me", "running"],
    ["dead", "running"],
    [GIVEN_UP, "running"],
    ["you", "owned"],
  ])("while %s holds it: %s", (owner, said) => {
    store.sessions.take(S, owner, null);
    expect(remove(S, host())).toBe(said);
    expect([left(S), store.begun, points, dropped]).toEqual([ALL, false, ["commit.before"], []]);
  });
  test("while something of it runs", () => {
    store.works.start(S, { key: S, id: "w", nonce: 0 });
    expect(remove(S, host())).toBe("running");
    expect([left(S), store.begun]).toEqual([ALL, false]);
  });
  test("when the commit fails", () => {
    expect(() => remove(S, host("commit.inside"))).toThrow("fails commit.inside");
    expect([left(S), store.begun]).toEqual([ALL, false]);
  });
});

test("its machines go from the top down, with the mail that they have seen", () => {
  add("step/a", S, { x: "step/c", y: null }, "working");
  add("step/b", S, {}, "working");
  add("step/c", S, {}, "working");
  add(S, S, { a: "step/a", b: "step/b", gone: "step/gone" });
  takeOut(S, { store, family });
  const keys = [S, "step/a", "step/c", "step/b", "step/gone"];
  expect(dropped).toEqual(keys.flatMap((key) => [key, `mail of ${key}`]));
  expect(left(S)).toMatchObject({ row: false });
});

test("what another process has changed meanwhile is read again", () => {
  family.load(S);
  add("step/late", S, {}, "working");
  add(S, S, { late: "step/late" });
  takeOut(S, { store, family });
  expect(dropped).toEqual([S, `mail of ${S}`, "step/late", "mail of step/late"]);
});

test.each([1, 511, 512, 513, 1_030])("rows of its runs go too: %i of them", (count) => {
  const row = (seq: number, type: string, run?: string) =>
    store.log.append(S, { seq, at: 0, type, run, payload: { workflow: "w" } } as never, JSON.stringify({ type, run }));
  for (let seq = 1; seq <= count; seq++) row(seq, "run.started", `${seq}`);
  row(count + 1, "notice", "none");
  row(count + 2, "run.started");
  row(count + 3, "run.started", "last");
  takeOut(S, { store, family });
  expect(dropped.slice(0, 2)).toEqual([S, `mail of ${S}`]);
  const runs = Array.from({ length: count }, (_, at) => `run/${count - at}`);
  expect(dropped.slice(2)).toEqual(["run/last", ...runs]);
});
