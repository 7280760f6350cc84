/** Covers I2, I3 and I4 of the schema. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { GIVEN_UP } from "../../../../actors/host/storage.ts";
import type { Key } from "../../../../machines/model.ts";
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
/** Version 4, as it was, with runs: ended, failed without a beginning, called, cut off, and parked. */
const VERSION_4 = `
create table session(id text primary key, owner text, cwd text not null, principal text not null, created integer not null, title text, updated integer not null, epoch integer not null default 0) without rowid;
create index session_updated on session(principal, updated);
create index session_cwd on session(principal, cwd, updated);
create table mail(id integer primary key, session text not null, key text not null, event text not null, nonce integer);
create table seen(key text not null, id text not null, accepted integer not null, primary key(key, id)) without rowid;
create table trust(cwd text primary key, at integer not null) without rowid;
create table setting(name text primary key, value text not null) without rowid;
create table letter(id integer primary key autoincrement, session text not null, key text not null, event text not null, at integer not null, accepted integer);
create table actor(key text primary key, session text not null, parent text, child text not null, nonce integer not null, input text, birth integer, snap text) without rowid;
create table birth(id integer primary key, input text not null);
create trigger actor_gone after delete on actor when old.birth is not null begin delete from birth where id=old.birth; end;
create table log(session text not null, seq integer not null, at integer not null, type text not null, run text, row text not null, primary key(session, seq));
create index log_run on log(run, type) where type in ('run.started', 'run.completed');
create index log_started on log(at) where type = 'run.started';
create table timer(session text not null, key text not null, id text not null, due integer not null, event text not null, primary key(session, key, id)) without rowid;
create table work(session text not null, key text not null, id text not null, nonce integer not null, primary key(session, key, id)) without rowid;
pragma user_version=4;
insert into setting values('cursor key', 'kept');
insert into session values('session/a', null, '/w', 'me', 1, 'title', 2, 3);
insert into session values('session/b', null, '/w', 'you', 1, 'title', 2, 3);
insert into actor values('session/a', 'session/a', null, '', 0, '{}', null, '{"v":"session.v2","value":"parked"}');
insert into actor values('session/b', 'session/b', null, '', 0, '{}', null, '{"v":"session.v2","value":"interrupted"}');
insert into log values('session/a', 1, 5, 'run.started', 'r1', '{"type":"run.started","run":"r1","payload":{"workflow":"w"}}');
insert into log values('session/a', 2, 6, 'run.started', 'r2', '{"type":"run.started","run":"r2","parentRun":"r1","payload":{"workflow":"v"}}');
insert into log values('session/a', 3, 7, 'run.completed', 'r2', '{"type":"run.completed","run":"r2","parentRun":"r1","payload":{"workflow":"v","status":"failed"}}');
insert into log values('session/a', 4, 8, 'run.completed', 'r1', '{"type":"run.completed","run":"r1","payload":{"workflow":"w","status":"completed"}}');
insert into log values('session/a', 5, 9, 'run.completed', 'r3', '{"type":"run.completed","run":"r3","payload":{"workflow":"w","status":"cancelled"}}');
insert into log values('session/a', 6, 9, 'run.started', 'r4', '{"type":"run.started","run":"r4","payload":{"workflow":"w"}}');
insert into log values('session/b', 1, 9, 'run.started', 'r5', '{"type":"run.started","run":"r5","payload":{"workflow":"w"}}');
`;
const LONG = JSON.stringify({ text: "x".repeat(1_000) });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-schema-"));
  file = join(folder, "troupe.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a store of this version one of version 11, whose log had the ids of sessions. */
const TO_11 = `
drop trigger run_taken; drop trigger run_left;
create table log_11(session text not null, seq integer not null, at integer not null, type text not null, run text, row text not null, primary key(session, seq));
insert into log_11 select (select id from session where n=log.session), seq, at, type, run, row from log order by rowid;
create table session_11(id text not null primary key, owner text, cwd text not null, principal text not null, created integer not null, title text, updated integer not null, epoch integer not null default 0);
insert into session_11 select id, owner, cwd, principal, created, title, updated, epoch from session order by n;
drop table log; drop table session; alter table log_11 rename to log; alter table session_11 rename to session;
create index session_updated on session(principal, updated, id); create index session_cwd on session(principal, cwd, updated, id);
create trigger run_taken after update of owner on session when new.owner is not null begin update run set phase='open' where session=new.id; end;
create trigger run_left after update of owner on session when new.owner is null begin update run set phase='parked' where session=new.id; end;
pragma user_version=11;
`;

/** Makes a store of this version one of version 6. */
const TO_6 = `${TO_11}
drop table schedule; drop index permission_of_session; drop table consent;
drop trigger actor_gone; update actor set birth=-birth where birth<0; insert into birth select * from step_birth; drop table step_birth;
create trigger actor_gone after delete on actor when old.birth is not null begin delete from birth where id=old.birth; end;
pragma user_version=6;
`;

/** Makes a store of this version one of version 10, where sessions, runs and actors lay by their names. */
const TO_10 = `${TO_11}
drop trigger run_taken; drop trigger run_left; drop trigger actor_gone; drop trigger actor_results_gone;
create table session_10(id text primary key, owner text, cwd text not null, principal text not null, created integer not null, title text, updated integer not null, epoch integer not null default 0) without rowid;
create table run_10(id text primary key, session text not null, principal text not null, workflow text not null, parent text, seq integer, at integer, phase text not null, ended integer) without rowid;
create table actor_10(key text primary key, session text not null, parent text, child text not null, nonce integer not null, input text, birth integer, snap text) without rowid;
insert into session_10 select * from session; insert into run_10 select * from run; insert into actor_10 select * from actor;
drop table session; drop table run; drop table actor;
alter table session_10 rename to session; alter table run_10 rename to run; alter table actor_10 rename to actor;
create index session_updated on session(principal, updated); create index session_cwd on session(principal, cwd, updated);
create index permission_of_session on actor(session) where key>'permission/' and key<'permission0';
create index run_listed on run(principal, phase, at) where parent is null and seq is not null;
create index run_of_workflow on run(principal, workflow, phase, at) where parent is null and seq is not null;
create index run_open on run(session) where parent is null and (phase='open' or phase='parked');
create trigger run_taken after update of owner on session when new.owner is not null begin update run set phase='open' where session=new.id; end;
create trigger run_left after update of owner on session when new.owner is null begin update run set phase='parked' where session=new.id; end;
create trigger actor_gone after delete on actor when old.birth is not null begin
  delete from birth where id=old.birth; delete from step_birth where id=-old.birth;
end;
create trigger actor_results_gone after delete on actor begin delete from result where owner=old.key; end;
pragma user_version=10;
`;

const version = (db: DatabaseSync) => db.prepare("pragma user_version").get()?.["user_version"];
const tables = (db: DatabaseSync) => db.prepare("select type, name, sql from sqlite_schema order by name").all();

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

/** All runs that an earlier version left, in pieces of two; answers how many pieces there were. */
function gatherAll(store: Store): number {
  let pieces = 0;
  for (; !store.runs.isWhole; pieces++) {
    store.begin();
    store.runs.gather(2);
    store.commit();
  }
  return pieces;
}
const LISTING = { principal: null, workflow: null, until: 99 };
const OPEN = ["open", "parked"] as const;

test("the runs of a store of version 4 are gathered in pieces, and known before (I4)", () => {
  const old = new DatabaseSync(file);
  old.exec(VERSION_4);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  const run = { session: "session/a", workflow: "w", parentRun: null };
  const all = [
    { ...run, run: "r1", begun: { seq: 1, at: 5 }, phase: "completed", ended: 4 },
    { ...run, run: "r2", workflow: "v", parentRun: "r1", begun: { seq: 2, at: 6 }, phase: "failed", ended: 3 },
    { ...run, run: "r3", begun: null, phase: "cancelled", ended: 5 },
    { ...run, run: "r4", begun: { seq: 6, at: 9 }, phase: "parked", ended: null },
    { ...run, run: "r5", session: "session/b", begun: { seq: 1, at: 9 }, phase: "open", ended: null },
  ];
  const found = () => all.map((one) => store.runs.find(one.run));
  expect(version(store.db)).toBe(SCHEMA_VERSION);
  expect(store.runs.isWhole).toBe(false);
  expect(found()).toEqual(all);
  expect(store.runs.find("r9")).toBeUndefined();
  // Another one continues with what has not been gathered yet.
  const end = { type: "run.completed", run: "r5", payload: { workflow: "w", status: "failed", exitCode: 1 } } as const;
  store.log.append("session/b", { ...end, seq: 2, at: 10 }, JSON.stringify(end));
  Object.assign(all[4] ?? {}, { phase: "failed", ended: 2 });
  expect(found()).toEqual(all);
  expect(gatherAll(store)).toBe(3);
  expect(found()).toEqual(all);
  expect(store.runs.beginning("r", null, 9)).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  expect([...store.runs.latest({ ...LISTING, phases: ["failed", "completed"] })].map((one) => one.run)).toEqual([
    "r5",
    "r1",
  ]);
  expect([...store.runs.latest({ ...LISTING, phases: OPEN })].map((one) => one.run)).toEqual(["r4"]);
  expect(tables(store.db)).toEqual(tables(fresh.db));
  expect(query(store, "select name from setting")).toEqual([{ name: "cursor key" }]);
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

test("a process that has not heard that another one gathered the last runs asks the log for none", () => {
  const old = new DatabaseSync(file);
  old.exec(VERSION_4);
  old.close();
  const [store, other] = [new Store(file, "normal"), new Store(file, "normal")];
  expect(other.runs.isWhole).toBe(false);
  gatherAll(store);
  expect(other.runs.find("r9")).toBeUndefined();
  expect(other.runs.isWhole).toBe(true);
  store.close();
  other.close();
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
