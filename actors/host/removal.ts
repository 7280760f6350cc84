/** Takes a session out of the store, with its machines and its log. */
import type { Key } from "../../machines/model.ts";
import type { ActorCache } from "./actor-cache.ts";
import type { Removal } from "./host.ts";
import type { Owner } from "./ownership.ts";
import { GIVEN_UP } from "./schema.ts";
import type { Store } from "./store.ts";

const OF_SESSION = ["log", "timer", "work", "mail", "letter"].map((table) => `delete from ${table} where session=?`);

export type RemovalHost = { store: Store; family: ActorCache; owner: Owner; failpoint?: (name: string) => void };

/** In one transaction of its own, between ticks. A session that is not there counts as removed. */
export function remove(session: Key, { store, family, owner, failpoint }: RemovalHost): Removal {
  failpoint?.("commit.before");
  store.begin();
  try {
    const row = store.sql.owner.get(session);
    const holder = (row?.["owner"] ?? null) as string | null;
    if (holder !== null || store.runs(session)) {
      store.rollback();
      const isOther = holder !== null && holder !== owner.self && holder !== GIVEN_UP;
      return isOther && owner.isAlive(holder) ? "owned" : "running";
    }
    family.forget((of) => of === session); // another process may have changed it
    for (const key of familyOf(session, family)) {
      store.sql.drop.run(key);
      store.sql.unsee.run(key);
    }
    for (const statement of OF_SESSION) store.run(statement, session);
    store.run("delete from session where id=?", session);
    failpoint?.("commit.inside");
    store.commit();
    failpoint?.("commit.after");
  } catch (error) {
    store.rollback();
    throw error;
  }
  family.forget((of) => of === session);
  return "removed";
}

/** An actor and all below it. */
function familyOf(key: Key, family: ActorCache): Key[] {
  const children = Object.values(family.load(key)?.children ?? {});
  return [key, ...children.flatMap((child) => (child.key === null ? [] : familyOf(child.key, family)))];
}
