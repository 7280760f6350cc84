/**
 * Announces to clients which commands a session has, a moment after its answer: editors drop what comes before they
 * have registered the session.
 *
 * I1. A session's commands follow its answer after GATHER_MS + WAIT_MS at most and WAIT_MS at least, plus what the
 *     listing takes beyond WAIT_MS; sooner where it is prompted before that (I5).
 * I2. Sessions that are opened close together in one directory share one listing.
 * I3. New, changed and removed workflow files are announced, once each, to the sessions of their directory: when the
 *     file system says so, and after each turn.
 * I4. Nothing is announced of a session that was forgotten.
 * I5. A session's commands come before the answer of its first prompt, however soon that ends: who prompts has registered
 *     the session, and an editor that shows them at its end would show them where the user types by then.
 * I6. A directory that could not be listed is looked at again AGAIN_MS later, once, and with the session's next turn; one
 *     that could not be watched is watched then.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Troupe } from "../../actors/troupe.ts";
import { availableCommands } from "../../projections/acp/commands.ts";

const GATHER_MS = 40;
const WAIT_MS = 52;
/** How long after a turn, or a word of the file system, what else happens meanwhile is waited for. */
const LOOK_MS = 40;
const AGAIN_MS = 1_000;

type Listing = ReturnType<Troupe["list"]>;
/** A directory that cannot be listed has no commands; a prompt there says why. */
const updateOf = async (listing: Listing): Promise<SessionUpdate> => ({
  sessionUpdate: "available_commands_update",
  availableCommands: availableCommands(await listing.catch(() => [])),
});

type UpdateSink = { update(session: string, update: object): void };
/** Sessions that were opened close together in one directory. `listing` is begun by who needs it first. */
type Opened = { sessions: string[]; listing: () => Listing };
type Group = Map<string, Opened>;

/** `told`: what was announced to it last; null while nothing was. */
type Known = { cwd: string; told: string | null; opened: Opened };

export class Announcer {
  readonly #writer: UpdateSink;
  readonly #open: () => Promise<Troupe>;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #sessions = new Map<string, Known>();
  /** Ends the watch of a directory. */
  readonly #watches = new Map<string, () => void>();
  /** Directories that are about to be looked at. */
  readonly #looks = new Set<string>();
  #group: Group | null = null;
  #isClosed = false;
  constructor(writer: UpdateSink, open: () => Promise<Troupe>) {
    this.#writer = writer;
    this.#open = open;
  }

  /** To be called when the session's answer is about to be given. */
  announce(session: string, cwd: string): void {
    this.#group ??= this.#gather();
    const opened = this.#group.get(cwd) ?? { sessions: [], listing: this.#once(cwd) };
    this.#group.set(cwd, opened);
    opened.sessions.push(session);
    this.#sessions.set(session, { cwd, told: null, opened });
  }

  /** To be awaited before the answer of a prompt (I5). */
  async settled(session: string): Promise<void> {
    const known = this.#sessions.get(session);
    if (known?.told === null) this.#tell([session], await updateOf(known.opened.listing()));
  }

  /** What there is to announce of a directory. */
  of(cwd: string): Promise<SessionUpdate> {
    return updateOf(this.#open().then((troupe) => troupe.list(cwd)));
  }

  /** Announces what has changed in a session's directory, to all sessions there. */
  check(session: string): void {
    const known = this.#sessions.get(session);
    if (known !== undefined) this.#lookSoon(known.cwd);
  }

  /** The session is closed or deleted. */
  forget(session: string): void {
    const cwd = this.#sessions.get(session)?.cwd;
    this.#sessions.delete(session);
    if (cwd === undefined || [...this.#sessions.values()].some((other) => other.cwd === cwd)) return;
    this.#watches.get(cwd)?.();
    this.#watches.delete(cwd);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const session of [...this.#sessions.keys()]) this.forget(session);
  }

  #gather(): Group {
    const group: Group = new Map();
    this.#later(GATHER_MS, () => {
      this.#group = null;
      for (const { sessions, listing } of group.values()) {
        const update = updateOf(listing());
        this.#later(WAIT_MS, () => void update.then((one) => this.#tell(sessions, one)));
      }
    });
    return group;
  }
  #once(cwd: string): () => Listing {
    let listing: Listing | undefined;
    const fail = (): void => {
      listing = undefined;
      this.#later(AGAIN_MS, () => this.#lookSoon(cwd)); // I6
    };
    return () => {
      if (listing !== undefined) return listing;
      listing = this.#open().then((troupe) => troupe.list(cwd));
      listing.catch(fail);
      return listing;
    };
  }

  #tell(sessions: readonly string[], update: SessionUpdate): void {
    const told = JSON.stringify(update);
    for (const session of sessions) {
      const known = this.#sessions.get(session);
      if (known === undefined || known.told !== null) continue;
      known.told = told;
      this.#writer.update(session, update);
      this.#watch(known.cwd).catch(() => undefined); // the service ends
    }
  }

  /**
   * It is not waited for: what fails is looked at again with the next turn. Turns that end within LOOK_MS share a look,
   * which comes after them.
   */
  #lookSoon(cwd: string): void {
    if (this.#looks.has(cwd)) return;
    this.#looks.add(cwd);
    this.#later(LOOK_MS, () => {
      this.#looks.delete(cwd);
      this.#look(cwd).catch(() => undefined);
    });
  }
  /** Announces it to those who know something else. */
  async #look(cwd: string): Promise<void> {
    const troupe = await this.#open();
    const listing = await troupe.list(cwd).catch(() => null);
    if (listing === null) return; // it is gone, or the service ends: what was announced stands
    const update = await updateOf(Promise.resolve(listing));
    const told = JSON.stringify(update);
    for (const [session, known] of this.#sessions) {
      if (known.cwd !== cwd || known.told === null) continue;
      this.#watch(cwd).catch(() => undefined); // where it could not be watched before
      if (known.told === told) continue;
      known.told = told;
      this.#writer.update(session, update);
    }
  }
  async #watch(cwd: string): Promise<void> {
    if (this.#watches.has(cwd)) return;
    const begun = (): void => undefined;
    this.#watches.set(cwd, begun);
    const watching = this.#open().then((troupe) => troupe.watch(cwd, () => this.#lookSoon(cwd)));
    const stop = await watching.catch(() => null); // Troupe is being closed, or the next turn tries again
    if (this.#watches.get(cwd) !== begun) return stop?.();
    if (stop === null) this.#watches.delete(cwd);
    else this.#watches.set(cwd, stop);
  }

  #later(ms: number, act: () => void): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }
}
