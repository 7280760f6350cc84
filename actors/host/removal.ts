/** Takes a session out of the store, with its machines and its log. */
import type { Key } from "../../machines/model.ts";
import type { ActorCache } from "./actor-cache.ts";
import type { Removal } from "./host.ts";
import type { Owner } from "./ownership.ts";
import { GIVEN_UP, type Storage } from "./storage.ts";

export type RemovalHost = { store: Storage; family: ActorCache; owner: Owner; failpoint?: (name: string) => void };

/** In one transaction of its own, between ticks; what is kept beside the log goes after it. A session that is not there counts as removed. */
export function remove(session: Key, { store, family, owner, failpoint }: RemovalHost): Removal {
  failpoint?.("commit.before");
  store.begin();
  try {
    const holder = store.sessions.find(session)?.owner ?? null;
    if (holder !== null || store.sessions.runs(session)) {
      store.rollback();
      const isOther = holder !== null && holder !== owner.self && holder !== GIVEN_UP;
      return isOther && owner.isAlive(holder) ? "owned" : "running";
    }
    takeOut(session, { store, family });
    failpoint?.("commit.inside");
    store.commit();
    failpoint?.("commit.after");
  } catch (error) {
    store.rollback();
    throw error;
  }
  family.forget((of) => of === session);
  store.attachments.forget(session);
  store.conversations.forget(session);
  return "removed";
}

/** Within a transaction: its row, its machines and its log. */
export function takeOut(session: Key, { store, family }: Pick<RemovalHost, "store" | "family">): void {
  family.forget((of) => of === session); // another process may have changed it
  for (const key of familyOf(session, family)) {
    store.actors.drop(key);
    store.mail.forget(key);
  }
  for (const run of endedRuns(session, store)) store.actors.drop(run);
  store.sessions.drop(session);
}

/** An actor and all below it. */
function familyOf(key: Key, family: ActorCache): Key[] {
  const children = [...(family.load(key)?.children.values() ?? [])];
  return [key, ...children.flatMap((child) => (child.key === null ? [] : familyOf(child.key, family)))];
}

const PAGE = 512;
/** Runs whose rows have outlived them. */
function* endedRuns(session: Key, { log }: Storage): Generator<Key> {
  for (let before = log.head(session).seq + 1; ; ) {
    const rows = log.before(session, before, PAGE, ["run.started"]);
    for (const { run } of rows) if (run !== undefined) yield `run/${run}`;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    before = last.seq;
  }
}
