/**
 * The table of actors: the state of each machine that has not ended, and what it was born with. A birth that is not small
 * has a row of its own, in one of two tables (I2 of `schema.ts`): snapshots change often, births never. So have the
 * results that it keeps.
 */
import type { Key } from "../../../machines/model.ts";
import type { ActorTable, StoredResult } from "../storage.ts";
import type { Statements } from "./statements.ts";

/** Of an actor under this name, where `born` has joined its birth. */
const inputOf = (actor: string): string => `coalesce(${actor}.input, birth.input, step_birth.input)`;
const born = (actor: string): string =>
  `left join birth on birth.id=${actor}.birth left join step_birth on step_birth.id=-${actor}.birth`;

const LOAD = `select session, parent, child, nonce, ${inputOf("actor")} as input, snap
  from actor ${born("actor")} where key=?`;
const ADD = "insert into actor(key, session, parent, child, nonce, input, birth, snap) values(?,?,?,?,?,?,?,?)";
const BIRTH = "insert into birth(input) values(?)";
const STEP_BIRTH = "insert into step_birth(input) values(?)";
const SAVE = "update actor set snap=? where key=?";
const DROP = "delete from actor where key=?";
const RESULTS = "select n, state, result from result where owner=? order by n";
const KEEP_RESULT = "insert or replace into result(owner, n, state, result) values(?,?,?,?)";
const DROP_RESULTS = "delete from result where owner=? and n>=?";
const SNAP = "select snap from actor where key=?";
const SESSION_OF = "select session from actor where key=?";
const BIRTH_ABOVE = `select ${inputOf("step")} as input from actor
  join actor as step on step.key=actor.parent ${born("step")} where actor.key=?`;
/** From snapshot to snapshot by their children: the store may have a million actors, and no index by session. */
const BIRTHS_BELOW = `with recursive family(key) as (values(?1) union
    select json_extract(child.value, '$.key') from family join actor using(key), json_each(actor.snap, '$.children') child
    where json_extract(child.value, '$.key') is not null)
  select ${inputOf("actor")} as input from family join actor using(key) ${born("actor")}
  where instr(${inputOf("actor")}, ?2) > 0`;
/** A range of keys, so that its index is used. */
export const BIRTHS_OF = `select session, ${inputOf("actor")} as input from actor
  ${born("actor")} where key>?1||'/' and key<?1||'0'`;
/** What a policy decides, or what was cut off, is not asked. */
const OPEN_PERMISSIONS = `select key from actor where key>'permission/' and key<'permission0' and session=?
  and json_extract(snap, '$.value')='open'`;

/** Births up to this many characters stand in their actor's row. */
const MOST_INLINE = 256;

export function actorTable(sql: Statements): ActorTable {
  /** What `actor.birth` says of it. */
  const birthOf = (key: Key, birth: string): number =>
    key.startsWith("step/")
      ? -Number(sql(STEP_BIRTH).run(birth).lastInsertRowid)
      : Number(sql(BIRTH).run(birth).lastInsertRowid);
  return {
    load: (key) => {
      const row = sql(LOAD).get(key);
      if (row === undefined) return undefined;
      return {
        session: row["session"] as Key,
        parent: row["parent"] as Key | null,
        childId: row["child"] as string,
        nonce: row["nonce"] as number,
        birth: row["input"] as string,
        snap: row["snap"] as string,
      };
    },
    add: ({ key, session, parent, childId, nonce }, birth, snap) => {
      const apart = birth.length <= MOST_INLINE ? null : birthOf(key, birth);
      sql(ADD).run(key, session, parent, childId, nonce, apart === null ? birth : null, apart, snap);
    },
    save: (key, snap) => void sql(SAVE).run(snap, key),
    drop: (key) => void sql(DROP).run(key),
    results: (key) => sql(RESULTS).all(key) as StoredResult[],
    keepResult: (key, { n, state, result }) => void sql(KEEP_RESULT).run(key, n, state, result),
    dropResults: (key, from) => void sql(DROP_RESULTS).run(key, from),
    snap: (key) => sql(SNAP).get(key)?.["snap"] as string | undefined,
    sessionOf: (key) => sql(SESSION_OF).get(key)?.["session"] as Key | undefined,
    birthAbove: (key) => sql(BIRTH_ABOVE).get(key)?.["input"] as string | undefined,
    birthsBelow: (key, text) =>
      sql(BIRTHS_BELOW)
        .all(key, text)
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
