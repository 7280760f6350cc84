/** Stores of earlier versions, brought up to date with all that they hold. Covers I3 of the schema. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { GIVEN_UP } from "../../../../actors/host/storage.ts";
import type { Key } from "../../../../machines/model.ts";
import { query } from "../../../support/sql.ts";
import { gatherAll, LONG, TO_6, TO_10, TO_11, tables, VERSION_1, version } from "./old-stores.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-schema-"));
  file = join(folder, "troupe.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a store of version 1 is brought up to date with all that it holds", () => {
  const old = new DatabaseSync(file);
  old.exec(VERSION_1);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  expect(version(store.db)).toBe(SCHEMA_VERSION);
  gatherAll(store);
  expect(tables(store.db)).toEqual(tables(fresh.db));
  expect(store.actors.load("session/a")).toMatchObject({ birth: '{"cwd":"/w"}', snap: '{"v":"session.v1"}' });
  expect(store.log.rows("session/a", 0, 9).map(({ seq, at, type }) => [seq, at, type])).toEqual([
    [1, 5, "notice"],
    [2, 6, "run.started"],
  ]);
  expect(store.timers.of({ session: "session/a" })).toEqual([
    { key: "step/s", id: "after", due: 9, event: '{"type":"late"}' },
  ]);
  expect(store.works.of("session/a")).toMatchObject([{ key: "step/s", id: "work", nonce: 3 }]);
  expect(store.sessions.runs("session/a")).toBe(true);
  expect(query(store, "select id, owner, epoch from session order by id")).toEqual([
    { id: "session/a", owner: null, epoch: 0 },
    { id: "session/b", owner: GIVEN_UP, epoch: 0 },
  ]);
  expect(query(store, "select value from setting")).toEqual([{ value: "kept" }]);
  expect(query(fresh, "select length(value) as n from setting")).toEqual([{ n: 64 }]);
  store.close();
  fresh.close();
});

test("a store of version 5 is kept whole, and takes results of states", () => {
  const old = new Store(file, "normal");
  old.begin();
  old.actors.add(
    { key: "run/r", session: "session/a", parent: null, childId: "run", nonce: 1 },
    LONG,
    '{"v":"run.v3"}',
  );
  old.commit();
  old.db.exec(TO_6);
  old.db.exec("drop trigger actor_results_gone; drop table result; pragma user_version=5");
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  expect(version(store.db)).toBe(SCHEMA_VERSION);
  expect(tables(store.db)).toEqual(tables(fresh.db));
  expect(store.actors.load("run/r")).toMatchObject({ birth: LONG, snap: '{"v":"run.v3"}' });
  store.actors.keepResult("run/r", { n: 0, state: "a", result: "{}" });
  expect(store.actors.results("run/r")).toEqual([{ n: 0, state: "a", result: "{}" }]);
  store.close();
  fresh.close();
});

test("a store of version 6 is kept whole: births of steps that are there stay, and go with their actors", () => {
  const births = ({ db }: Store) =>
    ["birth", "step_birth"].map((table) => db.prepare(`select count(*) as n from ${table}`).get()?.["n"]);
  const step = (name: string) =>
    ({ key: `step/${name}`, session: "session/a", parent: null, childId: name, nonce: 1 }) as const;
  const old = new Store(file, "normal");
  old.begin();
  old.actors.add(step("a"), LONG, "{}");
  old.commit();
  old.db.exec(TO_6);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  expect(version(store.db)).toBe(SCHEMA_VERSION);
  expect(tables(store.db)).toEqual(tables(fresh.db));
  store.actors.add(step("b"), `${LONG}b`, "{}");
  store.actors.add({ ...step("c"), key: "run/c" }, `${LONG}c`, "{}");
  expect(births(store)).toEqual([2, 1]);
  const held = (key: Key) => store.actors.load(key)?.birth;
  expect([held("step/a"), held("step/b"), held("run/c")]).toEqual([LONG, `${LONG}b`, `${LONG}c`]);
  expect(["step/a", "step/b", "run/c"].map((of) => store.actors.birthsBelow(of as Key, LONG))).toEqual([
    [LONG],
    [`${LONG}b`],
    [`${LONG}c`],
  ]);
  expect(store.actors.birthsOf("step").map(({ birth }) => birth)).toEqual([LONG, `${LONG}b`]);
  store.actors.drop("step/b");
  expect(births(store)).toEqual([2, 0]);
  store.actors.drop("step/a");
  store.actors.drop("run/c");
  expect(births(store)).toEqual([0, 0]);
  store.close();
  fresh.close();
});

test("a store of version 10 is kept whole: what lay by name lies as it came, and goes on as it was", () => {
  const old = new Store(file, "normal");
  old.begin();
  for (const [id, at] of [
    ["z", 1],
    ["b", 3],
    ["a", 3],
  ] as const) {
    old.sessions.open(`session/${id}`, "1.me", "/w", "me", at);
    old.log.append(
      `session/${id}`,
      { type: "run.started", run: `r-${id}`, seq: 1, at, payload: { workflow: "w", turn: "t", plan: [], inputs: {} } },
      "{}",
    );
    const actor = { session: `session/${id}`, parent: null, childId: "", nonce: 0 } as const;
    old.actors.add({ ...actor, key: `session/${id}` }, LONG, '{"value":"parked"}');
    old.actors.add({ ...actor, key: `step/${id}`, nonce: 1 }, `${LONG}${id}`, "{}");
    old.actors.add({ ...actor, key: `permission/${id}` }, "{}", '{"value":"open"}');
    old.actors.keepResult(`step/${id}`, { n: 0, state: "a", result: "{}" });
  }
  old.commit();
  const known = "id, owner, cwd, principal, created, title, updated, epoch from session";
  const held = ({ db, log }: Store) => [
    db.prepare(`select ${known} order by id`).all(),
    ...["run", "actor", "birth", "step_birth", "result"].map((table) =>
      db.prepare(`select * from ${table} order by 1`).all(),
    ),
    ["z", "b", "a"].map((id) => log.rows(`session/${id}`, 0, 9)),
  ];
  const before = held(old);
  old.db.exec(TO_10);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  expect(version(store.db)).toBe(SCHEMA_VERSION);
  expect(tables(store.db)).toEqual(tables(fresh.db));
  expect(held(store)).toEqual(before);
  expect(query(store, "select id from session order by n").map(({ id }) => id)).toEqual([
    ...["session/z", "session/a", "session/b"],
  ]);
  store.begin();
  store.sessions.leave("session/z", 1, null);
  store.actors.drop("step/a");
  store.commit();
  expect(["r-z", "r-a"].map((run) => store.runs.find(run)?.phase)).toEqual(["parked", "open"]);
  expect(store.actors.results("step/a")).toEqual([]);
  expect(store.actors.birthsOf("step").map(({ birth }) => birth)).toEqual([`${LONG}b`, `${LONG}z`]);
  expect(store.actors.openPermissions("session/a")).toEqual(["permission/a"]);
  store.close();
  fresh.close();
});

test("the log of a store of version 11 is kept whole, and knows sessions by their numbers from then on (I1)", () => {
  const old = new Store(file, "normal");
  old.begin();
  const notice = (seq: number) =>
    ({ type: "notice", seq, at: seq, payload: { severity: "info", message: "m" } }) as const;
  for (const id of ["z", "b", "a"]) old.sessions.open(`session/${id}`, "1.me", "/w", "me", 1);
  for (const [id, seq] of [
    ["b", 1],
    ["a", 1],
    ["b", 2],
    ["z", 1],
    ["a", 2],
  ] as const)
    old.log.append(`session/${id}`, notice(seq), JSON.stringify({ ...notice(seq), of: id }));
  old.sessions.drop("session/z");
  old.commit();
  const held = ({ log }: Store) => ["z", "b", "a"].map((id) => log.rows(`session/${id}`, 0, 9));
  const before = held(old);
  expect(before.map((rows) => rows.length)).toEqual([0, 2, 2]);
  old.db.exec(TO_11);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  expect([version(store.db), tables(store.db)]).toEqual([SCHEMA_VERSION, tables(fresh.db)]);
  expect(held(store)).toEqual(before);
  expect(query(store, "select id from log join session on n=session order by log.rowid").map(({ id }) => id)).toEqual([
    ...["session/b", "session/a", "session/b", "session/a"],
  ]);
  store.begin();
  store.sessions.open("session/c", "1.me", "/w", "me", 9);
  store.log.append("session/c", notice(1), JSON.stringify(notice(1)));
  store.sessions.drop("session/b");
  store.commit();
  expect(["a", "b", "c"].map((id) => store.log.head(`session/${id}`).seq)).toEqual([2, 0, 1]);
  // A process of the earlier version that still has the file open:
  expect(() => store.db.exec("insert into log values('session/a', 3, 3, 'notice', null, '{}')")).toThrow(/TEXT/);
  store.close();
  fresh.close();
});
