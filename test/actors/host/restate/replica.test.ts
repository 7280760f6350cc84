/** Covers `replica.ts`: what this process has of the engine's sessions. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../../actors/base/clock.ts";
import { Tables } from "../../../../actors/host/memory/tables.ts";
import type { Whole } from "../../../../actors/host/restate/protocol.ts";
import { IDLE_MS, Replica } from "../../../../actors/host/restate/replica.ts";
import { until } from "../../../support/host.ts";
import { sessionKey } from "../../../support/host-machines.ts";
import { ScriptedEngine } from "../../../support/scripted-engine.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text });

let engine: ScriptedEngine;
let tables: Tables;
let replica: Replica;
let seen: number[];
beforeEach(() => {
  engine = new ScriptedEngine();
  tables = new Tables();
  seen = [];
  const changed = (): void => void seen.push(tables.read(S).log.all.length);
  replica = new Replica({ self: "a", tables, ingress: engine, clock: systemClock, changed });
});
afterEach(() => {
  replica.stop();
  engine.ring();
});
const seqs = (): number[] => tables.read(S).log.all.map(({ seq }) => seq);

test("a session that is new here comes whole, later commits one by one (I1)", async () => {
  engine.birth();
  engine.send(note("a"));
  await replica.reach(S);
  expect([seqs(), engine.asked]).toEqual([[1, 2], ["whole"]]);
  engine.send(note("b"));
  engine.send(note("c"));
  await replica.reach(S, 4);
  expect([seqs(), seen, engine.asked]).toEqual([
    [1, 2, 3, 4],
    [2, 3, 4],
    ["whole", "since 2"],
  ]);
});

test("a commit that comes twice is put in once, one behind a gap brings those before it (I1)", async () => {
  await replica.put(S, engine.birth());
  const second = engine.send(note("a"));
  await replica.put(S, second);
  await replica.put(S, second);
  engine.send(note("b"));
  await replica.put(S, engine.send(note("c")));
  expect([seqs(), seen]).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
});

test("who is too far behind takes the whole, and what is gone goes", async () => {
  engine.keeps = 2;
  await replica.put(S, engine.birth());
  await replica.put(S, engine.send({ type: "child.asked", label: "a" }));
  const [child] = tables
    .read(S)
    .actors.entries()
    .map(([key]) => key)
    .filter((key) => key.startsWith("step/"));
  expect(tables.sessionOf.get(child!)).toBe(S);
  engine.send({ type: "child.dropped" });
  for (const text of ["a", "b", "c"]) engine.send(note(text));
  await replica.reach(S);
  expect(seqs()).toEqual(engine.kept.log.map(({ seq }) => seq));
  expect([tables.sessionOf.has(child!), tables.read(S).works.size]).toEqual([false, 0]);
});

test("a result that a machine has let go of goes with the next whole", async () => {
  engine.birth();
  for (const n of [0, 1]) engine.kept.rows.set(`result ${S} ${n}`, JSON.stringify({ n, state: `${n}`, result: "{}" }));
  await replica.reach(S);
  const places = (): unknown =>
    tables
      .read(S)
      .results.get(S)
      ?.values()
      .map(({ n }) => n);
  expect(places()).toEqual([0, 1]);
  engine.kept.rows.delete(`result ${S} 1`);
  engine.keeps = 0;
  engine.send(note("a"));
  await replica.reach(S);
  expect(places()).toEqual([0]);
});

test("who waits for a commit of a session that was taken out meanwhile is let go", async () => {
  await replica.reach(S, 3);
  expect(engine.asked).toEqual(["whole"]);
  engine.birth();
  await replica.reach(S);
  engine.isGone = true;
  await replica.reach(S, 3);
  expect([engine.asked, replica.at(S)]).toEqual([["whole", "whole", "since 1"], 0]);
});

test("it is followed while somebody follows it, and not after that (I2)", async () => {
  await replica.put(S, engine.birth());
  const unfollow = replica.follow(S);
  await until(() => engine.asked.length === 1);
  engine.send(note("a"));
  await until(() => seqs().length === 2 && engine.asked.length === 2);
  unfollow();
  engine.send(note("b"));
  await until(() => seqs().length === 3);
  engine.send(note("c"));
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
  expect([seqs(), engine.asked]).toEqual([
    [1, 2, 3],
    ["since 1", "since 2"],
  ]);
});

test("it is followed while something of it runs (I2)", async () => {
  await replica.put(S, engine.birth());
  await replica.put(S, engine.send({ type: "work.asked", label: "a" }));
  await until(() => engine.asked.length === 1);
  const which = { key: S, id: "job", nonce: 1 };
  const event = JSON.stringify({ type: "xstate.done.actor.job", output: "ok", actorId: "job" });
  const { n, rows, log } = engine.kept.take({ is: "work", which, rows: [], event });
  engine.commits.push({ n, rows, log });
  engine.ring();
  await until(() => seqs().length === 2);
  expect(tables.sessions.get(S)?.owner).toBeNull();
});

test("what the engine has no more is gone here", async () => {
  await replica.put(S, engine.birth());
  engine.isGone = true;
  await replica.reach(S);
  expect([tables.sessions.has(S), tables.rows.has(S), tables.sessionOf.has(S)]).toEqual([false, false, false]);
});

test("what the engine cannot answer is asked again (I3)", async () => {
  await replica.put(S, engine.birth());
  const { since } = engine;
  let failures = 1;
  engine.since = async (...given) => (failures-- > 0 ? Promise.reject(new Error("away")) : await since(...given));
  const unfollow = replica.follow(S);
  engine.send(note("a"));
  await until(() => seqs().length === 2);
  unfollow();
});

test("where nothing happens one session waits for 20 seconds and the others for minutes, until something does (I4)", async () => {
  const OTHER = sessionKey("other");
  const asking = async (count: number): Promise<void> => await until(() => engine.seconds.length === count);
  await replica.put(S, engine.birth());
  replica.follow(S);
  await asking(1);
  engine.ring(); // no news
  await asking(2);
  await replica.reach(OTHER);
  replica.follow(OTHER);
  await asking(3);
  engine.ring();
  await asking(5);
  expect(engine.seconds.toSorted()).toEqual([20, 20, 20, 20, 240]);
  engine.send(note("a"));
  await asking(7);
  expect(engine.seconds.slice(5)).toEqual([20, 20]);
});

test("a wait of minutes ends when a commit comes by another way: its worker may have gone (I4)", async () => {
  const asking = async (count: number): Promise<void> => await until(() => engine.seconds.length === count);
  const other = replica.follow(sessionKey("lookout"));
  await replica.put(S, engine.birth());
  await asking(1);
  engine.ring();
  await asking(2);
  replica.follow(S);
  await asking(3);
  engine.ring();
  await asking(5);
  expect(engine.seconds).toContain(240);
  const { n, rows, log } = engine.kept.send(note("a"));
  engine.commits.push({ n, rows, log }); // those who wait hear nothing
  await replica.put(S, { n, rows, log });
  await asking(6);
  expect(engine.seconds[5]).toBe(20);
  other();
});

test("who comes while one is under way that fails gets one of its own", async () => {
  engine.birth();
  const { whole } = engine;
  const failing = Promise.withResolvers<Whole>();
  engine.whole = () => failing.promise;
  const [one, other] = [replica.reach(S), replica.reach(S)];
  engine.whole = whole;
  failing.reject(new Error("no answer"));
  await expect(one).rejects.toThrow("no answer");
  await other;
  expect(replica.at(S)).toBe(1);
});

test("sessions at rest that nobody has asked for are let go where logs take too much, and come whole again (I5)", async () => {
  let now = 0;
  const changed: string[] = [];
  const [few, many] = [new ScriptedEngine(), new ScriptedEngine()];
  const T = sessionKey("t");
  const of = (session: string): ScriptedEngine => (session === S ? few : many);
  const small = new Replica({
    ...{ self: "a", tables, most: 100_000 },
    ingress: {
      since: (session, asked, signal) => of(session).since(session, asked, signal),
      whole: (session) => of(session).whole(),
    },
    clock: { sleep: systemClock.sleep, elapsed: () => now },
    changed: (session, rows, log) => void changed.push(`${session} ${rows.length} ${log.length}`),
  });
  few.birth();
  many.birth();
  await small.reach(S);
  await small.reach(T);
  now = IDLE_MS - 1;
  many.send(note("x".repeat(100_000)));
  await small.reach(T);
  expect(small.at(S)).toBe(1); // it was asked for just now
  now = IDLE_MS;
  const unfollow = small.follow(T);
  many.send(note("more"));
  await small.reach(T);
  expect([small.at(S), small.at(T), tables.sessions.has(S), seqs()]).toEqual([0, 3, false, []]);
  expect(changed.at(-1)).toBe(`${S} 0 0`);
  few.send(note("later"));
  await small.reach(S);
  expect([small.at(S), seqs(), small.at(T)]).toEqual([2, [1, 2], 3]);
  now = 3 * IDLE_MS;
  await small.put(S, few.send(note("again")));
  expect(small.at(T)).toBe(3); // somebody follows it
  unfollow();
  small.stop();
  many.ring();
});
