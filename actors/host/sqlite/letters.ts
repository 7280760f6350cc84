/** The table of letters. */
import { GIVEN_UP, type LetterTable, type StoredLetter } from "../storage.ts";
import type { Statements } from "./statements.ts";

const LEAVE =
  "insert into letter(session, key, event, at) select session, key, ?, ? from actor where key=? returning id";
const UNREAD = "select id, session, key, event from letter where accepted is null order by id";
const IS_UNREAD = "select 1 from letter where id=? and accepted is null";
const IS_AWAITED = `select 1 from letter join session on session.id=letter.session
  where letter.id=? and accepted is null and owner is not null and owner<>'${GIVEN_UP}'`;
const ANSWER = "update letter set accepted=? where id=?";
const REFUSE = "update letter set accepted=0 where session=? and accepted is null";
const TAKE_BACK = "delete from letter where id=? returning accepted";
const SWEEP = "delete from letter where at<?";

export const letterTable = (sql: Statements): LetterTable => ({
  leave: (key, event, at) => sql(LEAVE).get(event, at, key)?.["id"] as number | undefined,
  unread: () => sql(UNREAD).all() as unknown as StoredLetter[],
  isUnread: (letter) => sql(IS_UNREAD).get(letter) !== undefined,
  isAwaited: (letter) => sql(IS_AWAITED).get(letter) !== undefined,
  answer: (letter, accepted) => void sql(ANSWER).run(accepted ? 1 : 0, letter),
  refuse: (session) => void sql(REFUSE).run(session),
  takeBack: (letter) => {
    const accepted = sql(TAKE_BACK).get(letter)?.["accepted"] ?? null;
    return accepted === null ? null : accepted === 1;
  },
  sweep: (before) => void sql(SWEEP).run(before),
});
