/** The tables of what a session has in hand: its timers, its work, and mail that a cut tick has left. */
import type { Key } from "../../../machines/model.ts";
import type { MailTable, StoredTimer, StoredWork, TimerTable, WorkTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

const SET = "insert or replace into timer(session, key, id, due, event) values(?,?,?,?,?)";
const UNSET = "delete from timer where session=? and key=? and id=?";
const UNSET_ALL = "delete from timer where session=? and key=?";
const TIMERS = "select key, id, due, event from timer where session=?";
const TIMERS_OF_OWNER =
  "select t.key, t.id, t.due, t.event from timer t join session s on s.id=t.session where s.owner=?";

export const timerTable = (sql: Statements): TimerTable => ({
  set: (session, { key, id, due, event }) => void sql(SET).run(session, key, id, due, event),
  drop: (session, key, id) => void sql(UNSET).run(session, key, id),
  dropAll: (session, key) => void sql(UNSET_ALL).run(session, key),
  of: (whose) =>
    ("session" in whose
      ? sql(TIMERS).all(whose.session)
      : sql(TIMERS_OF_OWNER).all(whose.owner)) as unknown as StoredTimer[],
});

const START = "insert or replace into work(session, key, id, nonce) values(?,?,?,?)";
const END = "delete from work where session=? and key=? and id=?";
const WORKS = "select key, id, nonce from work where session=?";

export const workTable = (sql: Statements): WorkTable => ({
  start: (session, { key, id, nonce }) => void sql(START).run(session, key, id, nonce),
  end: (session, key, id) => void sql(END).run(session, key, id),
  of: (session) => sql(WORKS).all(session) as unknown as StoredWork[],
});

const KEEP = "insert into mail(session, key, event, nonce) values(?,?,?,?)";
const DROP = "delete from mail where id=?";
const MAILS = "select id, key, event, nonce from mail where session=? order by id";
const SEEN = "select accepted from seen where key=? and id=?";
const SEE = "insert or replace into seen values(?,?,?)";
const FORGET = "delete from seen where key=?";

export const mailTable = (sql: Statements): MailTable => ({
  keep: (session, { key, event, nonce }) => Number(sql(KEEP).run(session, key, event, nonce).lastInsertRowid),
  drop: (row) => void sql(DROP).run(row),
  of: (session) =>
    sql(MAILS)
      .all(session)
      .map(({ id, key, event, nonce }) => ({
        row: id as number,
        key: key as Key,
        event: event as string,
        nonce: nonce as number | null,
      })),
  seen: (key, id) => {
    const row = sql(SEEN).get(key, id);
    return row && Number(row["accepted"]) === 1;
  },
  see: (key, id, accepted) => void sql(SEE).run(key, id, accepted ? 1 : 0),
  forget: (key) => void sql(FORGET).run(key),
});
