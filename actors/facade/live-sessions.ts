/**
 * The live sessions of this process, by their keys, and its ear for what other processes write.
 *
 * I1. While a viewer attends a session here, a question of this process is open, or an agent works that can be told
 *     something, other processes are listened to; with `hearsCancels` also while a turn runs. Otherwise not.
 * I2. What another process answered before this one began to listen is found when it begins.
 * I3. Once it rests no turn begins; one that runs goes on.
 * I4. Nothing is kept of a session that no viewer attends, where no prompt is open and nothing is asked.
 */
import type { Exchange } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Viewer } from "../api/attendance.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { type LeftHost, LeftTurns } from "./left-turns.ts";
import { type LiveHost, LiveSession } from "./live-session.ts";

export type LiveSessionsHost = Omit<LiveHost, "name" | "changed" | "refuseResting"> & {
  left: Omit<LeftHost, "clock">;
  /** Listens to other processes until the answer is called. */
  listen: () => () => void;
  /** Takes in what other processes have answered. */
  takeIn: () => void;
  hearsCancels: boolean;
};

export class LiveSessions {
  readonly #host: LiveSessionsHost & LiveHost;
  readonly #live = new Map<Key, LiveSession>();
  /** Those that what other processes write concerns. */
  readonly #hearing = new Set<Key>();
  /** Those with an open question of this process. */
  readonly #asking = new Set<Key>();
  /** Those with a turn of this process, which another may cancel. */
  readonly #running = new Set<Key>();
  readonly #left: LeftTurns;
  #names = 0;
  /** How many agents work here. */
  #working = 0;
  #unlisten: (() => void) | null = null;
  /** What hears, once it is to rest, that no turn runs any more (I3). */
  #rested: (() => void) | null = null;
  constructor(host: LiveSessionsHost) {
    this.#host = {
      ...host,
      name: () => String(++this.#names),
      changed: (session, live) => this.#changed(session, live),
      refuseResting: () => {
        if (this.#rested !== null)
          throw new TroupeError("USER.SERVE.CLOSING", "the server is ending: nothing begins here any more");
      },
    };
    const { left, clock } = host;
    this.#left = new LeftTurns({ ...left, clock }, (session) => this.#live.get(session)?.cutOff());
  }

  /** One of this process; null where nothing of it is live here. */
  find(session: Key): LiveSession | null {
    return this.#live.get(session) ?? null;
  }
  /** One that is to be prompted, attended or asked in. */
  of(session: Key): LiveSession {
    const known = this.#live.get(session);
    if (known !== undefined) return known;
    const live = new LiveSession(session, this.#host);
    this.#live.set(session, live);
    return live;
  }
  /** Answers the name of the attendance. Throws where other processes cannot be heard. */
  attend(session: Key, viewer: Viewer): string {
    this.#unlisten ??= this.#host.listen();
    const name = this.of(session).come(viewer);
    this.#left.look(session);
    return name;
  }
  /** Those where a turn of this process runs. */
  get prompted(): Key[] {
    return [...this.#running];
  }

  /** I3. Resolves when no turn runs here, or `signal` is aborted. */
  async rest(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#rested = resolve;
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted || this.#running.size === 0) resolve();
    await promise;
  }

  /** For every committed row of this process. */
  note(session: Key, row: Exchange): void {
    const isFirst = row.type === "permission.requested" && this.#asking.size === 0;
    (row.type === "permission.requested" ? this.of(session) : this.#live.get(session))?.note(row);
    if (isFirst) this.#host.takeIn();
  }
  /** Another process has written. */
  look(): void {
    for (const session of [...this.#hearing]) if (this.#live.get(session)?.look() === true) this.#left.look(session);
    if (this.#asking.size > 0 || this.#running.size > 0 || this.#working > 0) this.#host.takeIn();
  }
  /** An agent begins to work: other processes may say something to it, until the answer is called. */
  works(): () => void {
    this.#working += 1;
    this.#hear();
    return () => {
      this.#working -= 1;
      this.#hear();
    };
  }
  /** The logs of these sessions cannot be written: the end of what is open in them will not be seen. */
  fail(error: unknown, sessions: Iterable<Key>): void {
    for (const session of sessions) this.#live.get(session)?.fail(error);
  }

  close(): void {
    for (const live of this.#live.values()) live.close();
    this.#live.clear();
    this.#left.close();
    this.#hearing.clear();
    this.#asking.clear();
    this.#running.clear();
    this.#hear();
  }

  #changed(session: Key, live: LiveSession): void {
    if (live.isOver && this.#live.get(session) === live) this.#live.delete(session);
    if (live.hearsOthers) this.#hearing.add(session);
    else if (this.#hearing.delete(session)) this.#left.forget(session);
    if (live.asks) this.#asking.add(session);
    else this.#asking.delete(session);
    if (live.running === undefined) this.#running.delete(session);
    else this.#running.add(session);
    this.#hear();
    if (this.#rested !== null && this.#running.size === 0) this.#rested();
  }
  #hear(): void {
    const isWanted = this.#host.hearsCancels && this.#running.size > 0;
    if (isWanted || this.#hearing.size > 0 || this.#working > 0) {
      this.#unlisten ??= this.#listen();
      return;
    }
    this.#unlisten?.();
    this.#unlisten = null;
  }
  #listen(): (() => void) | null {
    try {
      return this.#host.listen();
    } catch {
      return null; // the system has no watch left: a decision from elsewhere fails: this process does not read
    }
  }
}
