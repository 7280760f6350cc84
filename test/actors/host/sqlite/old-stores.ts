/** Stores as earlier versions have left them. */
import type { DatabaseSync } from "node:sqlite";
import type { Store } from "../../../../actors/host/sqlite/store.ts";

/** Version 1, as it was. */
export const VERSION_1 = `
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
export const VERSION_4 = `
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
export const LONG = JSON.stringify({ text: "x".repeat(1_000) });

/** Makes a store of this version one of version 11, whose log had the ids of sessions. */
export const TO_11 = `
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
export const TO_6 = `${TO_11}
drop table schedule; drop index permission_of_session; drop table consent;
drop trigger actor_gone; update actor set birth=-birth where birth<0; insert into birth select * from step_birth; drop table step_birth;
create trigger actor_gone after delete on actor when old.birth is not null begin delete from birth where id=old.birth; end;
pragma user_version=6;
`;

/** Makes a store of this version one of version 10, where sessions, runs and actors lay by their names. */
export const TO_10 = `${TO_11}
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

export const version = (db: DatabaseSync) => db.prepare("pragma user_version").get()?.["user_version"];
export const tables = (db: DatabaseSync) => db.prepare("select type, name, sql from sqlite_schema order by name").all();

/** All runs that an earlier version left, in pieces of two; answers how many pieces there were. */
export function gatherAll(store: Store): number {
  let pieces = 0;
  for (; !store.runs.isWhole; pieces++) {
    store.begin();
    store.runs.gather(2);
    store.commit();
  }
  return pieces;
}
