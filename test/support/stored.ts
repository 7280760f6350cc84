/** What a store holds besides the log: the states of its machines, and what would keep a session from being at rest. */
import { DatabaseSync } from "node:sqlite";
import type { StateValue } from "xstate";

function read<T>(store: string, look: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(store, { readOnly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

/** The states of the machines of a session that have not ended, by key. */
export const storedStates = (store: string, session: string): { [key: string]: StateValue } =>
  read(store, (database) => {
    const rows = database.prepare("select key, snap from actor where session=? order by key");
    return Object.fromEntries(
      rows.all(`session/${session}`).map(({ key, snap }) => [key, JSON.parse(snap as string).value]),
    );
  });

/** The states of the machines of one kind that stand in no loop and no fan. */
export const outermost = (store: string, session: string, kind: string): StateValue[] =>
  read(store, (database) => {
    const rows = database.prepare(
      `select snap from actor where session=? and key like ?
        and coalesce(parent, '') not like 'loop/%' and coalesce(parent, '') not like 'parallel/%' order by key`,
    );
    return rows.all(`session/${session}`, `${kind}/%`).map(({ snap }) => JSON.parse(snap as string).value);
  });

/** What holds a session: its owner, and how much work, how many timers and how much mail it has. */
export const storedHolds = (store: string, session: string): object =>
  read(store, (database) => ({
    ...database
      .prepare(
        `select (select owner from session where id=?1) as owner, (select count(*) from work where session=?1) as work,
          (select count(*) from timer where session=?1) as timers, (select count(*) from mail where session=?1) as mail`,
      )
      .get(`session/${session}`),
  }));
export const AT_REST = { owner: null, work: 0, timers: 0, mail: 0 };
