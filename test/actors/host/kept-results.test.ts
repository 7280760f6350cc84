/** Covers I3 of `actor-cache.ts`: results of states are rows of their own, and a machine finds its own again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Actor, ActorCache, NOTHING_KEPT } from "../../../actors/host/actor-cache.ts";
import type { Snap } from "../../../actors/host/host.ts";
import { born } from "../../../actors/host/interpret.ts";
import { MemoryStorage } from "../../../actors/host/memory/memory-storage.ts";
import { Store } from "../../../actors/host/sqlite/store.ts";
import type { Storage } from "../../../actors/host/storage.ts";
import { added, allOf, PORTION, type Results, resultsIn, withResults } from "../../../machines/kept-results.ts";
import { type Key, KINDS, type StateResult, type StateResults } from "../../../machines/model.ts";
import { parallelMachine } from "../../../machines/parallel-machine.ts";
import { runMachine } from "../../../machines/run-machine.ts";
import { command, nodesOf, OK, ORIGIN, parallel, result, runBirth, SCOPE, workflow } from "../../support/documents.ts";

const RUN: Key = "run/r";
const BIRTH = { ...runBirth(workflow([command("a")])), self: RUN, parent: null, at: 0 };
const FAN: Key = "parallel/p";
const FAN_BIRTH = {
  ...{ origin: ORIGIN, node: parallel("fan", ["a"]), nodes: nodesOf(command("a")), scope: SCOPE, keep: "all" },
  ...{ self: FAN, parent: null, at: 0 },
};

const familyOf = (storage: Storage): ActorCache => {
  const family = new ActorCache(storage);
  family.define("run", runMachine);
  family.define("parallel", parallelMachine);
  return family;
};
function actorOf(key: Key): Actor {
  const [kind, machine, birth] =
    key === RUN ? (["run", runMachine, BIRTH] as const) : (["parallel", parallelMachine, FAN_BIRTH] as const);
  const { snapshot } = born(machine, birth);
  const who = { key, kind, session: "session/s" as Key, parent: null, childId: "", nonce: 0 };
  return { ...who, birth, snapshot, children: new Map(), starts: 0, isNew: true, kept: NOTHING_KEPT() };
}
const hold = (actor: Actor, states: StateResults): void => {
  const context = withResults(actor.kind, actor.snapshot.context, states);
  actor.snapshot = Object.assign(Object.create(Object.getPrototypeOf(actor.snapshot)), actor.snapshot, { context });
};
const held = (actor: Actor | undefined): StateResults | undefined => {
  const results = actor && resultsIn(actor.kind, actor.snapshot.context);
  return results && allOf(results);
};

/** What is written of results while `act` runs. */
function written(storage: Storage, act: () => void): string[] {
  const { keepResult } = storage.actors;
  const heard: string[] = [];
  storage.actors.keepResult = (key, kept) => {
    heard.push(`${kept.n} ${kept.state}`);
    keepResult(key, kept);
  };
  act();
  storage.actors.keepResult = keepResult;
  return heard;
}
function saved(storage: Storage, family: ActorCache, actor: Actor): void {
  storage.begin();
  family.save(actor);
  storage.commit();
}

const root = mkdtempSync(join(tmpdir(), "troupe-results-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let stores = 0;
const file = (): Store => new Store(join(root, `${stores++}.db`), "normal");
const STORAGES: [string, () => Storage][] = [
  ["on SQLite", file],
  ["in memory", () => new MemoryStorage()],
];

describe.each(STORAGES)("results %s", (_, open) => {
  test.each([RUN, FAN])("of a %s are written once, and again when another takes the place", (key) => {
    const storage = open();
    const family = familyOf(storage);
    const actor = actorOf(key);
    family.add(actor);
    const [one, two, three] = [result(OK, "1"), result(OK, "2"), result(OK, "3")];
    const save = (states: StateResults) => {
      hold(actor, states);
      return written(storage, () => saved(storage, family, actor));
    };
    expect(save({ a: one })).toEqual(["0 a"]);
    expect(save({ a: one })).toEqual([]);
    expect(save({ a: one, b: two })).toEqual(["1 b"]);
    expect(save({ a: three, b: two })).toEqual(["0 a"]);
    expect(storage.actors.load(key)?.snap).not.toContain("Output");
    const again = familyOf(storage);
    const found = again.load(key) as Actor;
    expect(held(found)).toEqual({ a: three, b: two });
    expect(Object.keys(held(found) ?? {})).toEqual(["a", "b"]);
    expect(written(storage, () => saved(storage, again, found))).toEqual([]);
    storage.actors.drop(key);
    expect(storage.actors.results(key)).toEqual([]);
    storage.close();
  });

  test("of many states are written once each, in portions of which only one that has changed is looked through", () => {
    const storage = open();
    const family = familyOf(storage);
    const actor = actorOf(RUN);
    family.add(actor);
    const more = (name: string, text: string) => {
      const { position } = actor.snapshot.context as { position: Results };
      const context = {
        ...actor.snapshot.context,
        position: { ...position, ...added(position, { [name]: result(OK, text) }) },
      };
      actor.snapshot = Object.assign(Object.create(Object.getPrototypeOf(actor.snapshot)), actor.snapshot, { context });
      return written(storage, () => saved(storage, family, actor));
    };
    const names = Array.from({ length: 3 * PORTION }, (_, at) => `s${at}`);
    for (const [at, name] of names.entries()) expect(more(name, "1")).toEqual([`${at} ${name}`]);
    expect(more("s3", "2")).toEqual(["3 s3"]);
    const found = familyOf(storage).load(RUN) as Actor;
    expect(Object.keys(held(found) ?? {})).toEqual(names);
    expect(held(found)).toEqual(held(actor));
    storage.close();
  });

  test("that an earlier version kept in the snapshot become rows when it is written again", () => {
    const storage = open();
    const actor = actorOf(RUN);
    const family = familyOf(storage);
    hold(actor, { a: result(OK, "1"), b: result(OK, "2") });
    const snap = JSON.stringify(family.snap(actor) satisfies Snap);
    storage.begin();
    storage.actors.add(actor, JSON.stringify(BIRTH), snap);
    storage.commit();
    const found = family.load(RUN) as Actor;
    expect(held(found)).toEqual(held(actor));
    expect(written(storage, () => saved(storage, family, found))).toEqual(["0 a", "1 b"]);
    expect(held(familyOf(storage).load(RUN))).toEqual(held(actor));
    storage.close();
  });

  test("are those that a machine has, whatever it adds, replaces or takes out, and whatever is taken back", () => {
    // Names that are numbers come first in an object, whenever they are added.
    const name = fc.constantFrom("a", "b", "7", "constructor", "12");
    const change = fc.record({ set: fc.array(name, { maxLength: 4 }), gone: fc.option(name), commits: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const storage = open();
        let family = familyOf(storage);
        saved(storage, family, actorOf(RUN));
        let count = 0;
        for (const { set, gone, commits } of changes) {
          const actor = family.load(RUN) as Actor;
          const before = held(actor) as StateResults;
          const states: StateResults = { ...before };
          for (const each of set) states[each] = result(OK, String(count++)) as StateResult;
          if (gone !== null) delete states[gone];
          hold(actor, states);
          storage.begin();
          family.save(actor);
          commits ? storage.commit() : storage.rollback();
          if (!commits) family.forget(() => true);
          if (count % 2 === 0) family = familyOf(storage);
          expect(held(family.load(RUN))).toEqual(commits ? states : before);
        }
        storage.close();
      }),
      { numRuns: 60 },
    );
  });
});

test("only runs and containers keep results", () => {
  const context = { states: { a: 1 }, position: { states: { a: 1 } } };
  expect(KINDS.filter((kind) => resultsIn(kind, context) !== undefined)).toEqual(["run", "parallel", "loop"]);
});
