/** All followers of this process, by session: who is offered a frame, and who is flushed at the end of a tick. */
import type { Exchange, Frame, Live } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { LogFollower } from "./follower.ts";
import type { Follower } from "./host.ts";

export interface FollowersHost {
  rows(session: Key, after: number, limit: number): Exchange[];
  uncommitted(session: Key): Live[];
  /** Asks for a tick soon. */
  schedule(): void;
}

export class Followers {
  readonly #host: FollowersHost;
  readonly #bySession = new Map<Key, Set<LogFollower>>();
  #ready = new Set<LogFollower>();
  constructor(host: FollowersHost) {
    this.#host = host;
  }

  /** Follows from `seq` on, starting with the rows that exist. */
  add(session: Key, seq: number, push: (frames: readonly Frame[]) => void): Follower {
    const follower = new LogFollower(
      {
        rows: (key, after, limit) => this.#host.rows(key, after, limit),
        uncommitted: (key) => this.#host.uncommitted(key),
        ready: (f) => {
          this.#ready.add(f);
          this.#host.schedule();
        },
        forget: (f) => this.#forget(f),
      },
      session,
      seq,
      push,
    );
    const set = this.#bySession.get(session);
    if (set === undefined) this.#bySession.set(session, new Set([follower]));
    else set.add(follower);
    follower.resume();
    return follower;
  }

  /** Whether a live chunk of this session would be shown to anybody now. */
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
    for (const follower of ready) follower.flush();
  }
  recheck(concerns: (session: Key) => boolean): void {
    for (const [session, set] of this.#bySession) if (concerns(session)) for (const follower of set) follower.recheck();
  }

  #forget(follower: LogFollower): void {
    const set = this.#bySession.get(follower.session);
    set?.delete(follower);
    this.#ready.delete(follower);
    if (set?.size === 0) this.#bySession.delete(follower.session);
  }
}
