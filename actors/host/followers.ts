/**
 * All followers of this process, by session: who is offered a frame, and who is flushed in a tick.
 *
 * I1. A follower whose push throws, or whose log cannot be read, is closed and hears of it; the others continue.
 * I2. A carrier of what several followers push hears when all have pushed, once: before the next tick does anything. Until
 *     then it waits for what still comes in this turn of the loop, an answer most often, to send both as one.
 */
import type { Frame } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { LogFollower, type LogReader } from "./follower.ts";
import type { Follower, Host } from "./host.ts";

export interface FollowersHost extends LogReader {
  /** A follower was closed (I1). */
  failed(error: unknown): void;
  /** Asks for a tick soon. */
  schedule(): void;
}

/** What a follower is called with, behind where it begins. */
export type Hearing = Parameters<Host["follow"]> extends [unknown, unknown, ...infer Rest] ? Rest : never;

export class Followers {
  readonly #host: FollowersHost;
  readonly #bySession = new Map<Key, Set<LogFollower>>();
  #ready = new Set<LogFollower>();
  readonly #carriers = new Set<() => void>();
  constructor(host: FollowersHost) {
    this.#host = host;
  }

  /** Follows from `seq` on, starting with the rows that exist. */
  add(session: Key, seq: number, ...[push, sent, failed]: Hearing): Follower {
    const follower = new LogFollower(
      {
        log: this.#host,
        ready: (f) => {
          this.#ready.add(f);
          this.#host.schedule();
        },
        forget: (f) => this.#forget(f),
      },
      session,
      seq,
      push,
      sent,
      failed,
    );
    const set = this.#bySession.get(session);
    if (set === undefined) this.#bySession.set(session, new Set([follower]));
    else set.add(follower);
    follower.resume();
    return follower;
  }

  /** Whether a follower would be given a live chunk of this session now. */
  isWatched(session: Key): boolean {
    const set = this.#bySession.get(session);
    if (set !== undefined) for (const follower of set) if (follower.isLive) return true;
    return false;
  }
  /** Whether some follower waits for the next tick. */
  get waiting(): boolean {
    return this.#ready.size > 0;
  }
  offer(session: Key, frame: Frame): void {
    const set = this.#bySession.get(session);
    if (set !== undefined) for (const follower of set) follower.offer(frame);
  }
  flush(): void {
    const ready = this.#ready;
    this.#ready = new Set();
    this.#flush(ready);
  }
  /** Those of some sessions; the others wait. */
  flushOf(whose: (session: Key) => boolean): void {
    const ready = [...this.#ready].filter((follower) => whose(follower.session));
    for (const follower of ready) this.#ready.delete(follower);
    this.#flush(ready);
  }
  /** Before a tick: pushes what was said live since the last one, and has all that was pushed carried. */
  flushLive(): void {
    const live = [...this.#ready].filter((follower) => follower.join());
    for (const follower of live) this.#ready.delete(follower);
    this.#flush(live);
    for (const sent of this.#carriers) sent(); // I2
    this.#carriers.clear();
  }
  recheck(concerns: (session: Key) => boolean): void {
    for (const [session, set] of this.#bySession) if (concerns(session)) for (const follower of set) follower.recheck();
  }

  #flush(followers: Iterable<LogFollower>): void {
    for (const follower of followers) {
      try {
        if (follower.flush() && follower.sent !== undefined) this.#carriers.add(follower.sent);
      } catch (error) {
        follower.close(); // I1
        follower.failed?.(error);
        this.#host.failed(error);
      }
    }
  }
  #forget(follower: LogFollower): void {
    const set = this.#bySession.get(follower.session);
    set?.delete(follower);
    this.#ready.delete(follower);
    if (set?.size === 0) this.#bySession.delete(follower.session);
  }
}
