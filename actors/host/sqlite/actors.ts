/** The table of actors: the state of each machine that has not ended, and what it was born with. */
import type { Key } from "../../../machines/model.ts";
import type { ActorTable } from "../storage.ts";
import type { Statements } from "./statements.ts";

const SNAP = "select snap from actor where key=?";
const SESSION_OF = "select session from actor where key=?";
const BIRTH_ABOVE = `select coalesce(birth.input, step.input) as input from actor
  join actor as step on step.key=actor.parent left join birth on birth.id=step.birth where actor.key=?`;
const BIRTHS_WITH = `select coalesce(actor.input, birth.input) as input from actor left join birth on birth.id=actor.birth
  where session=? and instr(coalesce(actor.input, birth.input), ?) > 0`;
/** A range of keys, so that its index is used. */
const BIRTHS_OF = `select session, coalesce(actor.input, birth.input) as input from actor
  left join birth on birth.id=actor.birth where key>?1||'/' and key<?1||'0'`;
/** What a policy decides, or what was cut off, is asked of nobody. */
const OPEN_PERMISSIONS = `select key from actor where key>'permission/' and key<'permission0' and session=?
  and json_extract(snap, '$.value')='open'`;

export function actorTable(sql: Statements): ActorTable {
  return {
    snap: (key) => sql(SNAP).get(key)?.["snap"] as string | undefined,
    sessionOf: (key) => sql(SESSION_OF).get(key)?.["session"] as Key | undefined,
    birthAbove: (key) => sql(BIRTH_ABOVE).get(key)?.["input"] as string | undefined,
    birthsWith: (session, text) =>
      sql(BIRTHS_WITH)
        .all(session, text)
        .map(({ input }) => input as string),
    birthsOf: (kind) =>
      sql(BIRTHS_OF)
        .all(kind)
        .map(({ session, input }) => ({ session: session as Key, birth: input as string })),
    openPermissions: (session) =>
      sql(OPEN_PERMISSIONS)
        .all(session)
        .map(({ key }) => key as Key),
  };
}
