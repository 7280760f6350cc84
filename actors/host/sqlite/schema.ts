/**
 * The tables of the store, and how an older file becomes a newer one.
 *
 * I1. Whatever a commit touches lies together: `work` and `timer` are ordered by session; the log's rows, sessions, runs
 *     and actors by the order in which they came. By their names, which are random, each would lie on a page of its own.
 *     A commit pays for every page it touches. The log, which has the most rows, knows a session by its number: its index
 *     is a fifth as large.
 * I2. A birth, and the results that an actor keeps, live as long as their actor. Births of steps come and go, and have
 *     a table of their own: among those that stay, each that went had SQLite write its neighbours anew.
 * I3. One process brings a file up to date, in one transaction; a file of a later version is not touched.
 * I4. What takes time is put off: the runs of an earlier version are gathered from its log in pieces (`runs.ts`).
 */
import type { DatabaseSync } from "node:sqlite";
import { TroupeError } from "../../errors/troupe-error.ts";
import { GIVEN_UP } from "../storage.ts";
import { GATHERED } from "./runs.ts";

export const SCHEMA_VERSION = 12;
/** Why a file of a later version is not touched (I3). */
export const laterVersion = (version: number): string =>
  `the store was written by a later version (schema ${version}, this one knows ${SCHEMA_VERSION})`;

/** A number names one letter, ever: who took one in late must not find another under it. */
const LETTER = `create table letter(id integer primary key autoincrement, session text not null, key text not null, event text not null, at integer not null, accepted integer);`;

/** `birth` is the id of a row of the table of this name, or below zero that of one of `step_birth`. */
const ACTOR = `create table actor(key text not null primary key, session text not null, parent text, child text not null, nonce integer not null, input text, birth integer, snap text);`;
const ACTOR_GONE = `
create trigger actor_gone after delete on actor when old.birth is not null begin
  delete from birth where id=old.birth; delete from step_birth where id=-old.birth;
end;
`;
const STEP_BIRTH = `create table step_birth(id integer primary key, input text not null);${ACTOR_GONE}`;

const logOf = (session: "integer" | "text"): string =>
  `create table log(session ${session} not null, seq integer not null, at integer not null, type text not null, run text, row text not null, primary key(session, seq))`;
/** Strict: a process of an earlier version, which still has the file open, must not add rows by a session's id. */
const LOG = `${logOf("integer")} strict;`;

/** Of I4. */
const LOG_RUN = "create index log_run on log(run, type) where type in ('run.started', 'run.completed');";

/** Tables whose form has changed since version 1. */
const CHANGED = `
${ACTOR}
create table birth(id integer primary key, input text not null);
${STEP_BIRTH}
create table timer(session text not null, key text not null, id text not null, due integer not null, event text not null, primary key(session, key, id)) without rowid;
create table work(session text not null, key text not null, id text not null, nonce integer not null, primary key(session, key, id)) without rowid;
`;

/** A run or a container changes with each of its steps, and keeps the results of all of them. */
const RESULTS_GONE =
  "create trigger actor_results_gone after delete on actor begin delete from result where owner=old.key; end;";
const RESULT = `
create table result(owner text not null, n integer not null, state text not null, result text not null, primary key(owner, n)) without rowid;
${RESULTS_GONE}
`;

const RUN_TRIGGERS = `
create trigger run_taken after update of owner on session when new.owner is not null begin
  update run set phase='open' where session=new.id and parent is null and phase='parked';
end;
create trigger run_left after update of owner on session when new.owner is null begin
  update run set phase='parked' where session=new.id and parent is null and phase='open'
    and (select json_extract(snap, '$.value') from actor where key=new.id)='parked';
end;
`;

/** Open runs are few, and the only ones that change with their session. Called ones are in no list. */
const RUN = `
create table run(id text not null primary key, session text not null, principal text not null, workflow text not null, parent text, seq integer, at integer, phase text not null, ended integer);
create index run_listed on run(principal, phase, at, id) where parent is null and seq is not null;
create index run_of_workflow on run(principal, workflow, phase, at, id) where parent is null and seq is not null;
create index run_open on run(session) where parent is null and (phase='open' or phase='parked');
${RUN_TRIGGERS}
`;

/** Of permissions alone, which are few: no other birth pays for it, and those of one session are found among 100,000. */
const PERMISSION =
  "create index permission_of_session on actor(session) where key>'permission/' and key<'permission0';";

/** What a person agreed to of agents: in no list that a session reads. */
const CONSENT =
  "create table consent(machine text not null, agent text not null, folder text not null, digest text not null, shown text not null, at integer not null, primary key(machine, agent, folder)) without rowid;";

/** One row is all that is kept of a schedule: who decides something about it reads and writes it whole. */
const SCHEDULE =
  "create table schedule(cwd text not null, workflow text not null, kept text not null, primary key(cwd, workflow)) without rowid;";

/** Seals the cursors of lists: here, since who only reads a list writes nothing. */
const CURSOR_KEY = `insert or ignore into setting values('cursor key', lower(hex(randomblob(32))));`;

/**
 * `n` is the number by which the log knows it. Pages of lists begin where the indexes say: so these end in the id, by
 * which sessions of one time are ordered.
 */
const SESSION = `
create table session(n integer primary key, id text not null unique, owner text, cwd text not null, principal text not null, created integer not null, title text, updated integer not null, epoch integer not null default 0);
create index session_updated on session(principal, updated, id);
create index session_cwd on session(principal, cwd, updated, id);
`;

const SCHEMA = `
${SESSION}
create table mail(id integer primary key, session text not null, key text not null, event text not null, nonce integer);
create table seen(key text not null, id text not null, accepted integer not null, primary key(key, id)) without rowid;
create table trust(cwd text primary key, at integer not null) without rowid;
create table setting(name text primary key, value text not null) without rowid;
${CURSOR_KEY}
${LETTER}
${CHANGED}${LOG}${RESULT}${RUN}${CONSENT}${PERMISSION}${SCHEDULE}`;

const FROM_1 = `
drop index log_run; drop index timer_session; drop index work_session;
alter table actor rename to actor_1; alter table log rename to log_1;
alter table timer rename to timer_1; alter table work rename to work_1;
${CHANGED}${logOf("text")};
insert into actor(key, session, parent, child, nonce, input, snap) select key, session, parent, child, nonce, input, snap from actor_1;
insert into log select session, seq, at, type, run, row from log_1 order by at, session, seq;
insert into timer select session, key, id, due, event from timer_1;
insert into work select session, key, id, nonce from work_1;
drop table actor_1; drop table log_1; drop table timer_1; drop table work_1;
${LOG_RUN}
create index log_started on log(at) where type = 'run.started';
`;

/** Owners proved their life in another way then: the next process takes the session over. */
const FROM_2 = `
alter table session add column epoch integer not null default 0;
update session set owner='${GIVEN_UP}' where owner is not null;
${CURSOR_KEY}
`;

/** I4: the index `log_run` goes when nothing is left to gather. */
const FROM_4 = `
drop index log_started;
${RUN}
insert into setting values('${GATHERED}', '');
`;

/** Births that are there stay where they are. */
const FROM_6 = `drop trigger actor_gone; ${STEP_BIRTH}`;

/** Until then sessions, runs and actors lay by their names. Triggers and indexes go with their tables. */
const FROM_10 = `
drop trigger run_taken; drop trigger run_left;
drop index session_updated; drop index session_cwd; drop index permission_of_session;
drop index run_listed; drop index run_of_workflow; drop index run_open;
alter table session rename to session_10; alter table run rename to run_10; alter table actor rename to actor_10;
drop trigger actor_gone; drop trigger actor_results_gone;
${SESSION}${ACTOR}${ACTOR_GONE}${RESULTS_GONE}${RUN}${PERMISSION}
insert into session(id, owner, cwd, principal, created, title, updated, epoch)
  select id, owner, cwd, principal, created, title, updated, epoch from session_10 order by created, id;
insert into run select id, session, principal, workflow, parent, seq, at, phase, ended from run_10 order by at, id;
insert into actor select key, session, parent, child, nonce, input, birth, snap from actor_10;
drop table session_10; drop table run_10; drop table actor_10;
`;

/** Until then a session had no number that lasts. */
const FROM_11 = `
drop trigger run_taken; drop trigger run_left; drop index session_updated; drop index session_cwd;
alter table session rename to session_11;
${SESSION}${RUN_TRIGGERS}
insert into session select rowid, id, owner, cwd, principal, created, title, updated, epoch from session_11 order by rowid;
drop table session_11;
`;
/** Rows of the log had the id of their session. */
const NUMBERED = `
alter table log rename to log_11;
${LOG}
insert into log select session.n, seq, at, type, run, row from log_11 join session on session.id=log_11.session order by log_11.rowid;
drop table log_11;
`;

/** Brings a file to this version (I3). Throws an `Error` when it was written by a later one. */
export function migrate(db: DatabaseSync): void {
  if (formOf(db) === SCHEMA_VERSION) return;
  db.exec("begin immediate");
  try {
    const found = formOf(db); // another process may have been first
    if (found > SCHEMA_VERSION) throw new Error(laterVersion(found));
    if (found === 0) db.exec(SCHEMA);
    if (found === 1) db.exec(FROM_1);
    if (found === 1 || found === 2) db.exec(FROM_2);
    if (found >= 1 && found <= 3) db.exec(LETTER);
    if (found >= 1 && found <= 4) db.exec(FROM_4);
    if (found >= 1 && found <= 5) db.exec(RESULT);
    if (found >= 2 && found <= 6) db.exec(FROM_6);
    if (found >= 1 && found <= 7) db.exec(CONSENT);
    if (found >= 1 && found <= 8) db.exec(PERMISSION);
    if (found >= 1 && found <= 9) db.exec(SCHEDULE);
    if (found >= 1 && found <= 10) db.exec(FROM_10);
    if (found === 11) db.exec(FROM_11);
    if (found >= 1 && found <= 11) number(db);
    db.exec(`pragma user_version=${SCHEMA_VERSION}; commit`);
  } catch (error) {
    if (db.isTransaction) db.exec("rollback"); // SQLite has done it by itself where the disk is full
    throw error;
  }
}

/** The number of the form that its tables have. */
export const formOf = (db: DatabaseSync): number =>
  Number(db.prepare("pragma user_version").get()?.["user_version"] ?? 0);

/** Throws SYSTEM.STORE.NEWER when another process has brought the file to a form that is not known here. */
export function refuseNewer(form: number): void {
  if (form <= SCHEMA_VERSION) return;
  const message = `a newer Troupe has brought the store to form ${form}, and this process knows ${SCHEMA_VERSION}: end it and start it again; what ran here can be resumed`;
  throw new TroupeError("SYSTEM.STORE.NEWER", message, { form });
}

/** The index of I4 is there for as long as there is something to gather. */
function number(db: DatabaseSync): void {
  const gathers = db.prepare("select 1 from sqlite_master where name='log_run'").get() !== undefined;
  db.exec(NUMBERED);
  if (gathers) db.exec(LOG_RUN);
}
