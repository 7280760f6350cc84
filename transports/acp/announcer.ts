/**
 * Tells clients which commands a session has, a moment after its answer: editors drop what comes before they have
 * registered the session.
 *
 * I1. A session's commands follow its answer after GATHER_MS + WAIT_MS at most and WAIT_MS at least, plus what the
 *     listing takes beyond WAIT_MS.
 * I2. Sessions that are opened close together in one directory share one listing.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Troupe } from "../../actors/troupe.ts";
import { availableCommands } from "../../projections/acp/commands.ts";

const GATHER_MS = 40;
const WAIT_MS = 52;

/** A directory that cannot be listed has no commands; a prompt there says why. */
const updateOf = async (listing: ReturnType<Troupe["list"]>): Promise<SessionUpdate> => ({
  sessionUpdate: "available_commands_update",
  availableCommands: availableCommands(await listing.catch(() => [])),
});

type Teller = { update(session: string, update: object): void };
type Group = Map<string, string[]>;

export class Announcer {
  readonly #writer: Teller;
  readonly #open: () => Promise<Troupe>;
  readonly #timers = new Set<NodeJS.Timeout>();
  #group: Group | null = null;
  constructor(writer: Teller, open: () => Promise<Troupe>) {
    this.#writer = writer;
    this.#open = open;
  }

  /** To be called when the session's answer is about to be given. */
  announce(session: string, cwd: string): void {
    this.#group ??= this.#gather();
    const sessions = this.#group.get(cwd);
    if (sessions === undefined) this.#group.set(cwd, [session]);
    else sessions.push(session);
  }

  /** What there is to tell of a directory. */
  of(cwd: string): Promise<SessionUpdate> {
    return updateOf(this.#open().then((troupe) => troupe.list(cwd)));
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #gather(): Group {
    const group: Group = new Map();
    this.#later(GATHER_MS, () => {
      this.#group = null;
      for (const [cwd, sessions] of group) {
        const listing = this.#open().then((troupe) => troupe.list(cwd));
        listing.catch(() => undefined); // looked at below
        this.#later(WAIT_MS, () => void this.#tell(sessions, listing));
      }
    });
    return group;
  }

  async #tell(sessions: string[], listing: ReturnType<Troupe["list"]>): Promise<void> {
    const update = await updateOf(listing);
    for (const session of sessions) this.#writer.update(session, update);
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }
}
