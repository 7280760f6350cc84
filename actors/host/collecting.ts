/**
 * How a store is kept small: sessions that rest are taken out, oldest first, while other processes go on.
 *
 * I1. A session rests when no process holds it, nothing of it runs or waits, and none of its runs is open or parked: all
 *     of them have ended, and nothing can be resumed. That is asked again in the transaction that takes it out.
 * I2. A commit takes out what COMMIT_MS allow, one session at least, and then the store is left to others for as long
 *     as that took: they wait no longer than for a step of a run.
 * I3. What a process that was killed has left beside the log goes with the next collection.
 * I4. Where the disk has no room for a commit, the log of the commits before is brought in first, so that its room is
 *     enough for the next.
 */
import type { Key } from "../../machines/model.ts";
import type { Timers } from "../base/clock.ts";
import { codeOfSqlite } from "../errors/system.ts";
import { type RemovalHost, takeOut } from "./removal.ts";
import type { Collecting } from "./rest-table.ts";
import { GIVEN_UP } from "./storage.ts";

const COMMIT_MS = 8;
/** SQLite's own waits between two tries are shorter at first. */
const LEAST_PAUSE_MS = 5;
const PAGES_A_COMMIT = 200;

type CollectingHost = RemovalHost & {
  clock: Timers;
  patiently: <Done>(act: () => Done) => Promise<Done>;
};

export function collecting(host: CollectingHost): Collecting {
  const { store, clock } = host;
  const bringIn = (): Promise<void> => host.patiently(() => store.rest.bringIn());
  /** I4. */
  const patiently = async <Done>(act: () => Done): Promise<Done> => {
    try {
      return await host.patiently(act);
    } catch (error) {
      if (codeOfSqlite(error) !== "SYSTEM.IO.WRITE_FAILED") throw error;
      await bringIn();
      return await host.patiently(act);
    }
  };
  /** Does a commit, and then nothing for as long as it took (I2). */
  const politely = async <Done>(act: () => Done): Promise<Done> => {
    let took = 0;
    const done = await patiently(() => {
      const began = clock.elapsed();
      const result = act();
      took = clock.elapsed() - began;
      return result;
    });
    await new Promise<void>((resolve) => void clock.after(Math.max(LEAST_PAUSE_MS, took), resolve));
    return done;
  };
  const forget = (sessions: readonly Key[]): Promise<void> =>
    patiently(() => {
      for (const session of sessions) {
        store.attachments.forget(session);
        store.conversations.forget(session);
      }
    });
  return {
    resting: () => store.rest.resting(),
    listedRuns: () => store.rest.listedRuns(),
    size: () => store.rest.size(),
    collect: async (sessions, enough = () => false) => {
      await forget(store.rest.orphans());
      let removed = 0;
      for (let next = 0; next < sessions.length && !enough(); ) {
        const from = next;
        const gone = await politely(() => {
          const piece = commitPiece(sessions, from, host);
          next = piece.next;
          return piece.gone;
        });
        removed += gone.length;
        await forget(gone);
      }
      return removed;
    },
    shrink: async () => {
      for (let { free, shrinks } = store.rest.size(); shrinks && free > 0; ) {
        await politely(() => store.rest.shrink(PAGES_A_COMMIT));
        const now = store.rest.size().free;
        if (now >= free) break;
        free = now;
      }
      await bringIn(); // until then the file keeps its size
    },
    bringIn,
  };
}

/** One transaction of its own, between ticks. */
function commitPiece(sessions: readonly Key[], from: number, host: CollectingHost): { gone: Key[]; next: number } {
  const { store, clock, failpoint } = host;
  const gone: Key[] = [];
  let next = from;
  store.begin();
  try {
    const began = clock.elapsed();
    do {
      const session = sessions[next++];
      if (session === undefined || !rests(session, host)) continue;
      takeOut(session, host);
      gone.push(session);
      failpoint?.("collect.inside");
    } while (next < sessions.length && clock.elapsed() - began < COMMIT_MS);
    store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  }
  failpoint?.("collect.after");
  for (const session of gone) host.family.forget((of) => of === session);
  return { gone, next };
}

/** I1. */
function rests(session: Key, { store, owner }: RemovalHost): boolean {
  const found = store.sessions.find(session);
  if (found === undefined) return false;
  const isHeld = found.owner !== null && found.owner !== GIVEN_UP && owner.isAlive(found.owner);
  return !isHeld && !store.sessions.runs(session) && !store.rest.hasOpenRun(session);
}
