/** What sessions have in hand, in memory: timers, work, mail. */
import type { Key } from "../../../machines/model.ts";
import type { MailTable, TimerTable, WorkTable } from "../storage.ts";
import type { Tables } from "./tables.ts";

const nameOf = (key: Key, id: string): string => `${key} ${id}`;

export const timerTable = (tables: Tables): TimerTable => ({
  set: (session, timer) => tables.of(session).timers.set(nameOf(timer.key, timer.id), timer),
  drop: (session, key, id) => tables.read(session).timers.delete(nameOf(key, id)),
  dropAll: (session, key) => {
    const { timers } = tables.read(session);
    for (const [name, timer] of timers.entries()) if (timer.key === key) timers.delete(name);
  },
  of: (whose) =>
    "session" in whose
      ? tables.read(whose.session).timers.values()
      : tables.sessions
          .values()
          .flatMap(({ session, owner }) => (owner === whose.owner ? tables.read(session).timers.values() : [])),
});

export const workTable = (tables: Tables): WorkTable => ({
  start: (session, work) => tables.of(session).works.set(nameOf(work.key, work.id), work),
  end: (session, key, id) => tables.read(session).works.delete(nameOf(key, id)),
  of: (session) => tables.read(session).works.values(),
});

export const mailTable = (tables: Tables): MailTable => ({
  keep: (session, mail) => {
    const row = tables.next();
    tables.of(session).mail.set(row, mail);
    tables.mailOf.set(row, session);
    return row;
  },
  drop: (row) => {
    const session = tables.mailOf.get(row);
    if (session === undefined) return;
    tables.read(session).mail.delete(row);
    tables.mailOf.delete(row);
  },
  of: (session) =>
    tables
      .read(session)
      .mail.entries()
      .sort(([a], [b]) => a - b)
      .map(([row, mail]) => ({ ...mail, row })),
  seen: (key, id) => tables.seen.get(key)?.get(id),
  see: (key, id, accepted) => tables.seen.set(key, new Map(tables.seen.get(key)).set(id, accepted)),
  forget: (key) => tables.seen.delete(key),
});
