/**
 * A session is deleted with all that is stored of it: its row, its log and with it the history of its runs, its
 * machines.
 *
 * I1. What runs is cancelled first and has ended before anything is removed.
 * I2. All goes in one transaction; a session of another live process is left alone.
 * I3. Deleting what is not there, or is not this user's, does nothing and says nothing.
 * I4. A session that was made for one run alone, of which nothing was written, goes with the refusal; where that cannot be
 *     written (a full disk), with the next run that this process begins.
 * I5. Where the process that ran it dies meanwhile, it is taken over and closed as one of our own.
 */
import type { Key } from "../../../machines/model.ts";
import type { Session } from "../../api/facade.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Host } from "../../host/host.ts";

export type Removing = {
  host: Pick<Host, "remove"> & { sessions: Pick<Host["sessions"], "isOwn"> };
  /** Resolves when this process gives the session up next. */
  released: (session: Key) => Promise<void>;
};

/** Throws USER.SESSION.BUSY_ELSEWHERE. */
export async function removeSession(session: Session, { host, released }: Removing): Promise<void> {
  const key: Key = `session/${session.id}`;
  await session.close();
  for (;;) {
    const rested = released(key);
    const removal = await host.remove(key);
    switch (removal) {
      case "removed":
        return;
      case "owned":
        throw new TroupeError(
          "USER.SESSION.BUSY_ELSEWHERE",
          "another troupe process runs this session: cancel it there, or wait for its end",
          { session: session.id },
        );
      case "running":
        // Hooks of a cancelled run; or its process has died since it was asked to close (I5).
        await (host.sessions.isOwn(key) ? rested : session.close());
        break;
      default:
        removal satisfies never;
    }
  }
}

/** By the host: the sessions that could not be removed yet (I4). */
const unremoved = new WeakMap<object, Set<Key>>();

/** Begins the run that a session was made for (I4). Throws what keeps it from beginning. */
export async function runAlone(
  session: Pick<Session, "id" | "head">,
  host: Pick<Host, "remove">,
  begin: () => Promise<unknown>,
): Promise<void> {
  const made = session.head();
  try {
    await begin();
  } catch (error) {
    if (session.head() === made) await dropped(`session/${session.id}`, host);
    throw error;
  }
  for (const key of unremoved.get(host) ?? []) await dropped(key, host);
}

async function dropped(session: Key, host: Pick<Host, "remove">): Promise<void> {
  const left = unremoved.get(host) ?? new Set();
  unremoved.set(host, left);
  left.add(session);
  try {
    await host.remove(session);
    left.delete(session);
  } catch {
    // it is in no list meanwhile
  }
}
