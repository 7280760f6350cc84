/** What a host reports of sessions: whole answers, each from its row and its machine. */
import { beforeEach, expect, test } from "vitest";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import { aboutSession, readingOf, remembered, sessionReads } from "../../../actors/host/session-reads.ts";
import { writeMark } from "../../../actors/masking/mark.ts";
import type { Key } from "../../../machines/model.ts";
import { readSession } from "../../../machines/session/reading.ts";

const S: Key = "session/s";
const SNAP = { value: "parked", context: { run: { workflow: "w" }, inputs: ["input/i"], forkedFrom: "f" } };
const MACHINES = [{ key: S }] as never[];

let storage: MemoryStorage;
let asked: string[];
beforeEach(() => {
  storage = new MemoryStorage();
  asked = [];
});
const isAlive = (owner: string): boolean => {
  asked.push(owner);
  return owner !== "dead";
};
const reads = (snap?: object) =>
  sessionReads({
    storage,
    owner: { self: "me", isAlive },
    read: (key) => (key === S ? (snap as never) : undefined),
    described: (keys) => (keys.includes(S) ? MACHINES : []),
  });
const open = (session: Key, owner: string, at: number, snap: object | null = SNAP): void => {
  storage.sessions.open(session, owner, "/w", "ann", at);
  storage.log.append(session, { type: "turn.started", seq: 1, at, payload: { turn: "t" } } as never, "{}");
  if (snap !== null)
    storage.actors.add({ key: session, session, parent: null, childId: "", nonce: 0 }, "{}", JSON.stringify(snap));
};
const about = (session: Key, updated: number, isOwned: boolean) => ({
  ...{ session, cwd: "/w", principal: "ann", title: null, updated, isOwned },
});

test("a session is found with whether a living process runs it, and with no name of one", () => {
  open(S, "me", 5);
  open("session/t", "dead", 6);
  open("session/u", "you", 7);
  storage.sessions.leave("session/u", 1, null);
  const found = reads();
  expect([S, "session/t", "session/u", "session/none"].map((key) => found.find(key as Key))).toEqual([
    about(S, 5, true),
    about("session/t", 6, false),
    about("session/u", 7, false),
    undefined,
  ]);
  expect(asked).toEqual(["me", "dead"]);
  expect([S, "session/t", "session/none"].map((key) => found.has(key as Key))).toEqual([true, true, false]);
  expect([S, "session/t", "session/none"].map((key) => found.isOwn(key as Key))).toEqual([true, false, false]);
  const row = { session: S, cwd: "/v", principal: "bob", title: "x", updated: 1, owner: "dead", epoch: 9 };
  expect(aboutSession(row, isAlive)).toEqual({ ...about(S, 1, false), cwd: "/v", principal: "bob", title: "x" });
});

test("a session is read as its machine is in memory", () => {
  expect(reads({ value: "idle", context: { run: null } }).read(S)).toEqual(readSession("idle", { run: null }));
  expect([reads().read(S), reads({}).read("session/t")]).toEqual([undefined, undefined]);
});

test("a page has what each machine holds, and asks once whether an owner lives", async () => {
  open(S, "me", 5);
  open("session/t", "dead", 6, null);
  open("session/u", "me", 7, { value: "idle", context: {} });
  open("session/v", "dead", 8, null);
  const page = await reads().page({ principal: "ann", cwd: null, after: { updated: 99, id: "" }, limit: 9 });
  expect(page).toEqual([
    { ...about("session/v", 8, false), reading: null },
    { ...about("session/u", 7, true), reading: readSession("idle", {}) },
    { ...about("session/t", 6, false), reading: null },
    { ...about(S, 5, true), reading: readSession("parked", SNAP.context) },
  ]);
  expect(asked).toEqual(["dead", "me"]);
  const last = { principal: "ann", cwd: "/w", after: { updated: 8, id: "session/v" }, limit: 1 };
  expect((await reads().page(last)).map(({ session }) => session)).toEqual(["session/u"]);
});

test("a stored snapshot is read as one in memory is", () => {
  const read = readingOf(JSON.stringify(SNAP));
  expect(read).toEqual(readSession("parked", SNAP.context));
  expect([read.value, read.workflow, read.inputs, read.forkedFrom]).toEqual(["parked", "w", ["input/i"], "f"]);
});

test("whether an owner lives is asked once of each, whatever the answer", () => {
  const once = remembered(isAlive);
  expect(["a", "dead", "a", "dead"].map(once)).toEqual([true, false, true, false]);
  expect(asked).toEqual(["a", "dead"]);
});

test("the titles of the same directory come last used first", async () => {
  open(S, "me", 5);
  open("session/t", "me", 6);
  const title = { type: "session.updated", seq: 2, at: 9, payload: { title: "one" } };
  storage.log.append("session/t", title as never, "{}");
  expect(await reads().titlesBeside(S, 9)).toEqual(["one", null]);
  expect(await reads().titlesBeside(S, 1)).toEqual(["one"]);
});

test("the names of secrets are those that stand in births of the session's machines", () => {
  const mark = (name: string) => writeMark({ name, form: 0, from: 0, to: null });
  const birth = (...names: string[]) => JSON.stringify({ text: names.map((name) => `${mark(name)}!`).join("") });
  const children = { turn: { src: "turn", nonce: 1, key: "turn/t" } };
  const snap = JSON.stringify({ value: "idle", context: {}, children });
  storage.sessions.open(S, "me", "/w", "ann", 0);
  storage.actors.add({ key: S, session: S, parent: null, childId: "", nonce: 0 }, birth("ONE", "a/b c"), snap);
  storage.actors.add({ key: "turn/t", session: S, parent: S, childId: "turn", nonce: 1 }, birth("TWO"), "{}");
  expect(reads().secretNames(S)).toEqual(["ONE", "a/b c", "TWO"]);
  expect(reads().secretNames("session/none")).toEqual([]);
});

test("the rest is the storage's own", async () => {
  open(S, "me", 5);
  const found = reads();
  expect([found.sessionOf(S), found.sessionOf("turn/none")]).toEqual([S, undefined]);
  expect([found.machines([S]), found.machines([])]).toEqual([MACHINES, []]);
  expect(await found.cursorKey()).toBe(storage.setting());
});
