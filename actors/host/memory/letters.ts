/** Letters in memory: between the hosts of one process. */
import { GIVEN_UP, type LetterTable } from "../storage.ts";
import type { Letter, Tables } from "./tables.ts";

export function letterTable(tables: Tables): LetterTable {
  const { letters, sessions, sessionOf } = tables;
  const answer = (letter: Letter | undefined, accepted: boolean): void => {
    if (letter !== undefined) letters.set(letter.id, { ...letter, accepted });
  };
  const isUnread = (id: number): boolean => letters.get(id)?.accepted === null;
  return {
    leave: (key, event, at) => {
      const session = sessionOf.get(key);
      if (session === undefined) return undefined;
      const id = tables.next();
      letters.set(id, { id, session, key, event, at, accepted: null });
      return id;
    },
    unread: () =>
      letters
        .values()
        .filter(({ accepted }) => accepted === null)
        .sort((a, b) => a.id - b.id)
        .map(({ id, session, key, event }) => ({ id, session, key, event })),
    isUnread,
    isAwaited: (id) => {
      const letter = letters.get(id);
      const owner = letter && sessions.get(letter.session)?.owner;
      return isUnread(id) && typeof owner === "string" && owner !== GIVEN_UP;
    },
    answer: (id, accepted) => answer(letters.get(id), accepted),
    refuse: (session) => {
      for (const letter of letters.values())
        if (letter.session === session && letter.accepted === null) answer(letter, false);
    },
    takeBack: (id) => {
      const accepted = letters.get(id)?.accepted ?? null;
      letters.delete(id);
      return accepted;
    },
    sweep: (before) => {
      for (const { id, at } of letters.values()) if (at < before) letters.delete(id);
    },
  };
}
