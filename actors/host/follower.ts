/**
 * One reader of one session's log: live while it keeps up, a cursor while paused, catching up in pages in between.
 *
 * I1. Rows come in order without gaps or repeats; text that was shown is not shown again by the rows that commit it
 *     (its projection compares offsets), and text that was missed live comes with its row.
 * I2. A paused follower holds no frames.
 * I3. One page of rows a tick; the last page joins open text and the live stream in the same tick. A page has an end by
 *     its rows and by its size: a reader that comes back costs no more than one.
 */

import type { Live } from "../../machines/exchange.ts";
import { type Frame, isLive } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Follower } from "./host.ts";
import type { Page, PageSize } from "./storage.ts";

export const PAGE: PageSize = { rows: 512, chars: 1024 * 1024 };

/** What a follower reads. */
export interface LogReader {
  page(session: Key, after: number, size: PageSize): Page;
  uncommitted(session: Key): Live[];
  /** Whether a session surely has no row after this one, and none on its way. */
  isAtHead(session: Key, seq: number): boolean;
}
/** What a follower needs of those that it is among. */
export interface FollowerHost {
  readonly log: LogReader;
  /** Asks to be flushed in this tick or the next. */
  ready(follower: LogFollower): void;
  forget(follower: LogFollower): void;
}
type Mode = "live" | "paused" | "catching up" | "closed";

export class LogFollower implements Follower {
  readonly session: Key;
  /** Carries what was pushed. */
  readonly sent: (() => void) | undefined;
  /** Hears why nothing more comes. */
  readonly failed: ((error: unknown) => void) | undefined;
  readonly #host: FollowerHost;
  readonly #push: (frames: readonly Frame[]) => void;
  /** The last row that was pushed, and the last one that was offered to be. */
  #seq: number;
  #offered: number;
  #mode: Mode = "paused";
  #batch: Frame[] = [];

  constructor(
    host: FollowerHost,
    session: Key,
    seq: number,
    push: (frames: readonly Frame[]) => void,
    sent: (() => void) | undefined,
    failed: ((error: unknown) => void) | undefined,
  ) {
    this.sent = sent;
    this.failed = failed;
    this.#host = host;
    this.session = session;
    this.#seq = seq;
    this.#offered = seq;
    this.#push = push;
  }

  /** False while it is paused or catches up: what is offered then is dropped. */
  get isLive(): boolean {
    return this.#mode === "live";
  }
  /** A committed row or live chunk; dropped unless this follower is live. */
  offer(frame: Frame): void {
    if (this.#mode !== "live") return;
    if (!isLive(frame)) {
      if (frame.seq <= this.#offered) return;
      if (frame.seq > this.#offered + 1) return this.recheck(); // another process has left a row in between
      this.#offered = frame.seq;
    }
    this.#batch.push(frame);
    if (this.#batch.length === 1) this.#host.ready(this);
  }

  /** Goes live without a look at the log, where that has no row for it; answers whether it is live. */
  join(): boolean {
    if (this.#mode !== "catching up" || !this.#host.log.isAtHead(this.session, this.#seq)) return this.isLive;
    this.#mode = "live";
    this.#offered = this.#seq;
    this.#batch = this.#host.log.uncommitted(this.session);
    return true;
  }

  /** Pushes what this tick has gathered; answers whether there was anything. */
  flush(): boolean {
    if (this.#mode === "catching up") this.#page();
    const batch = this.#batch;
    if (batch.length === 0) return false;
    this.#batch = [];
    for (let i = batch.length - 1; i >= 0; i--) {
      const frame = batch[i] as Frame;
      if (isLive(frame)) continue;
      this.#seq = frame.seq;
      break;
    }
    this.#offered = this.#seq;
    this.#push(batch);
    return true;
  }

  /** The log may have grown by another process's hand. */
  recheck(): void {
    if (this.#mode !== "live" || this.#host.log.isAtHead(this.session, this.#offered)) return;
    this.#mode = "catching up";
    this.#host.ready(this);
  }
  pause(): void {
    if (this.#mode === "live" || this.#mode === "catching up") this.#mode = "paused";
    this.#batch = [];
  }
  resume(): void {
    if (this.#mode !== "paused") return;
    this.#mode = "catching up";
    this.#host.ready(this);
  }
  close(): void {
    this.#mode = "closed";
    this.#batch = [];
    this.#host.forget(this);
  }

  #page(): void {
    const { rows, isLast } = this.#host.log.page(this.session, this.#seq, PAGE);
    if (!isLast) {
      this.#batch = rows;
      this.#host.ready(this);
      return;
    }
    this.#mode = "live";
    this.#batch = [...rows, ...this.#host.log.uncommitted(this.session)];
  }
}
