/** The sessions in memory. */
import { LIMIT } from "../../../machines/address.ts";
import type { Key } from "../../../machines/model.ts";
import type { Snap } from "../host.ts";
import type { SessionRow, SessionTable } from "../storage.ts";
import { isWithin } from "../within.ts";
import { settleRuns } from "./runs.ts";
import type { Tables } from "./tables.ts";

const isBefore = (one: { updated: number; id: string }, other: { updated: number; id: string }): boolean =>
  one.updated === other.updated ? one.id < other.id : one.updated < other.updated;
const placeOf = ({ updated, session }: SessionRow) => ({ updated, id: session as string });

export function sessionTable(tables: Tables): SessionTable {
  const { sessions } = tables;
  /** Last used first. */
  const ordered = (): SessionRow[] =>
    sessions
      .values()
      .sort((a, b) => (isBefore(placeOf(a), placeOf(b)) ? 1 : isBefore(placeOf(b), placeOf(a)) ? -1 : 0));
  const snapOf = (session: Key): string | null => tables.read(session).actors.get(session)?.snap ?? null;
  const wasPrompted = ({ session, title }: SessionRow): boolean =>
    title !== null || tables.read(session).log.all.some(({ type }) => type === "turn.started");
  return {
    find: (session) => sessions.get(session),
    page: ({ principal, cwd, after, limit }) =>
      ordered()
        .filter((one) => one.principal === principal && (cwd === null || one.cwd === cwd))
        .filter((one) => isBefore(placeOf(one), after) && wasPrompted(one))
        .slice(0, limit)
        .map((one) => ({ ...one, snap: snapOf(one.session) })),
    titlesBeside: (session, limit) => {
      const own = sessions.get(session);
      return ordered()
        .filter(({ cwd, principal }) => cwd === own?.cwd && principal === own.principal)
        .slice(0, limit)
        .map(({ title }) => title);
    },
    within: (within, principal, limit) =>
      sessions
        .values()
        .filter((one) => (principal === null || one.principal === principal) && isWithin(one.cwd, within))
        .slice(0, limit)
        .map(({ session, updated }) => ({ session, updated })),
    open: (session, owner, cwd, principal, at) => {
      if (sessions.has(session)) return false;
      sessions.set(session, { session, owner, cwd, principal, title: null, updated: at, epoch: 1 });
      return true;
    },
    take: (session, owner, from) => {
      const row = sessions.get(session);
      if (row === undefined || row.owner !== from) return undefined;
      sessions.set(session, { ...row, owner, epoch: row.epoch + 1 });
      settleRuns(tables, session, owner);
      return row.epoch + 1;
    },
    leave: (session, epoch, owner) => {
      const row = sessions.get(session);
      if (row?.epoch !== epoch) return;
      sessions.set(session, { ...row, owner });
      settleRuns(tables, session, owner);
    },
    ownedBy: (owner) => sessions.values().filter((row) => row.owner === owner),
    runs: (session) => {
      const { works, timers, mail, actors } = tables.read(session);
      if (works.size > 0 || mail.size > 0 || timers.values().some(({ id }) => id !== LIMIT)) return true;
      const snap = snapOf(session);
      const isAsked = actors.entries().some(([key]) => key.startsWith("permission/"));
      return isAsked && (snap === null || (JSON.parse(snap) as Snap).value !== "interrupted");
    },
    drop: (session) => {
      for (const row of tables.read(session).mail.entries()) tables.mailOf.delete(row[0]);
      for (const [run, { session: of }] of tables.runs.entries()) if (of === session) tables.runs.delete(run);
      for (const [id, letter] of tables.letters.entries()) if (letter.session === session) tables.letters.delete(id);
      tables.rows.delete(session);
      sessions.delete(session);
    },
  };
}
