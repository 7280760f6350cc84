/** Covers I2 and I3 of the schema. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { GIVEN_UP } from "../../../../actors/host/storage.ts";
import { query } from "../../../support/sql.ts";

/** Version 1, as it was. */
const VERSION_1 = `
create table session(id text primary key, owner text, cwd text not null, principal text not null, created integer not null, title text, updated integer not null) without rowid;
create index session_updated on session(principal, updated);
create index session_cwd on session(principal, cwd, updated);
create table actor(key text primary key, session text not null, parent text, child text not null, nonce integer not null, input text not null, snap text) without rowid;
create table log(session text not null, seq integer not null, at integer not null, type text not null, run text, row text not null, primary key(session, seq)) without rowid;
create index log_run on log(run, type) where type in ('run.started', 'run.completed');
create index log_started on log(at) where type = 'run.started';
create table timer(key text not null, id text not null, session text not null, due integer not null, event text not null, primary key(key, id)) without rowid;
create index timer_session on timer(session);
create table work(key text not null, id text not null, session text not null, nonce integer not null, primary key(key, id)) without rowid;
create index work_session on work(session);
create table mail(id integer primary key, session text not null, key text not null, event text not null, nonce integer);
create table seen(key text not null, id text not null, accepted integer not null, primary key(key, id)) without rowid;
create table trust(cwd text primary key, at integer not null) without rowid;
create table setting(name text primary key, value text not null) without rowid;
pragma user_version=1;
insert into session values('session/a', null, '/w', 'me', 1, 'title', 2);
insert into actor values('session/a', 'session/a', null, '', 0, '{"cwd":"/w"}', '{"v":"session.v1"}');
insert into log values('session/a', 1, 5, 'notice', null, '{"type":"notice","payload":{}}');
insert into log values('session/a', 2, 6, 'run.started', 'r', '{"type":"run.started","run":"r","payload":{}}');
insert into timer values('step/s', 'after', 'session/a', 9, '{"type":"late"}');
insert into work values('step/s', 'work', 'session/a', 3);
insert into setting values('cursor key', 'kept');
insert into session values('session/b', '77.1234.boot~abc', '/w', 'me', 1, null, 2);
`;
const LONG = JSON.stringify({ text: "x".repeat(1_000) });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-schema-"));
  file = join(folder, "troupe.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const version = (db: DatabaseSync) => db.prepare("pragma user_version").get()?.["user_version"];
const tables = (db: DatabaseSync) => db.prepare("select type, name, sql from sqlite_schema order by name").all();

test("a store of version 1 is brought up to date with all that it holds", () => {
  const old = new DatabaseSync(file);
  old.exec(VERSION_1);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  expect(version(store.db)).toBe(SCHEMA_VERSION);
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

test.each([
  ["a small birth stands in its actor's row", '{"a":1}', 0],
  ["a large one has a row of its own", LONG, 1],
])("%s, is read with it and goes with it (I2)", (_, input, births) => {
  const store = new Store(file, "normal");
  store.begin();
  store.actors.add({ key: "run/r", session: "session/a", parent: null, childId: "run", nonce: 1 }, input, "{}");
  store.actors.save("run/r", '{"changed":true}');
  store.commit();
  const count = () => query(store, "select count(*) as n from birth")[0]?.["n"];
  expect(count()).toBe(births);
  expect(store.actors.load("run/r")).toMatchObject({ birth: input, snap: '{"changed":true}' });
  store.actors.drop("run/r");
  expect(count()).toBe(0);
  store.close();
});

test.each([
  ["normal", 1],
  ["full", 2],
] as const)("durability %s is what SQLite writes by", (durability, synchronous) => {
  const store = new Store(file, durability);
  expect(query(store, "pragma synchronous")).toEqual([{ synchronous }]);
  store.close();
});

test("who finds that another process was first changes nothing", () => {
  const { db } = new Store(file, "normal");
  const before = tables(db);
  let looks = 0;
  const early = { get: () => ({ user_version: 0 }) };
  const late = {
    prepare: (sql: string) => (looks++ === 0 ? early : db.prepare(sql)),
    exec: (sql: string) => db.exec(sql),
  };
  migrate(late as unknown as DatabaseSync);
  expect(looks).toBe(2);
  expect(tables(db)).toEqual(before);
  db.close();
});
