/** What a host reports of sessions. */
import type { Key } from "../../machines/model.ts";
import { readSession, type SessionReading } from "../../machines/session/reading.ts";
import { OPEN } from "../masking/mark.ts";
import type { Snap } from "./host.ts";
import type { Owner } from "./ownership.ts";
import type { ListedSession, PageQuery, SessionAbout, SessionReads } from "./reads.ts";
import type { ListedRow, SessionRow, StorageReads } from "./storage.ts";

const SECRET_NAMES = new RegExp(`${OPEN}([^/]+)/`, "g");
type IsAlive = Owner["isAlive"];

export type SessionReader = {
  storage: StorageReads;
  owner: Pick<Owner, "self" | "isAlive">;
  /** As this process has it in memory. */
  read(key: Key): Snap | undefined;
  described: SessionReads["machines"];
};

export function sessionReads({ storage, owner, read, described }: SessionReader): SessionReads {
  const { sessions, actors } = storage;
  return {
    find: (session) => {
      const row = sessions.find(session);
      return row && aboutSession(row, owner.isAlive);
    },
    has: (session) => sessions.find(session) !== undefined,
    read: (session) => {
      const snap = read(session);
      return snap && readSession(snap.value, snap.context as object);
    },
    page: async (query: PageQuery) => {
      const isAlive = remembered(owner.isAlive);
      return sessions.page(query).map((row) => listed(row, isAlive));
    },
    titlesBeside: async (session, limit) => sessions.titlesBeside(session, limit),
    isOwn: (session) => sessions.find(session)?.owner === owner.self,
    sessionOf: (key) => actors.sessionOf(key),
    secretNames: (session) =>
      actors
        .birthsBelow(session, OPEN)
        .flatMap((birth) => [...birth.matchAll(SECRET_NAMES)].map(([, name = ""]) => decodeURIComponent(name))),
    machines: described,
    cursorKey: async () => storage.setting("cursor key"),
  };
}

export const aboutSession = ({ owner, epoch: _, ...row }: SessionRow, isAlive: IsAlive): SessionAbout => ({
  ...row,
  isOwned: owner !== null && isAlive(owner),
});

function listed({ snap, ...row }: ListedRow, isAlive: IsAlive): ListedSession {
  return { ...aboutSession(row, isAlive), reading: snap === null ? null : readingOf(snap) };
}

/** Of a stored snapshot. */
export function readingOf(snap: string): SessionReading {
  const { value, context } = JSON.parse(snap) as Snap;
  return readSession(value, context as object);
}

/** For one read: many sessions of a page have the same owner. */
export function remembered(isAlive: IsAlive): IsAlive {
  const known = new Map<string, boolean>();
  return (owner) => {
    const alive = known.get(owner) ?? isAlive(owner);
    known.set(owner, alive);
    return alive;
  };
}
