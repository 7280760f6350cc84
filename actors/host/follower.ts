/**
 * One reader of one session's log: live while it keeps up, a cursor while paused, catching up in pages in between.
 *
 * I1. Rows come in order without gaps or repeats; text that was shown is not shown again by the rows that commit it
 *     (its projection compares offsets), and text that was missed live comes with its row.
 * I2. A paused follower holds no frames.
 * I3. One page of rows a tick; the last page joins open text and the live stream in the same tick.
 */

import type { Exchange, Live } from "../../machines/exchange.ts";
import { type Frame, isLive } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Follower } from "./host.ts";

export const ROWS_PER_PAGE = 512;

/** What a follower needs of its host. */
export interface FollowerHost {
  rows(session: Key, after: number, limit: number): Exchange[];
  uncommitted(session: Key): Live[];
  /** Asks to be flushed in this tick or the next. */
  ready(follower: LogFollower): void;
  forget(follower: LogFollower): void;
}
type Mode = "live" | "paused" | "catching up" | "closed";

export class LogFollower implements Follower {
  readonly session: Key;
  readonly #host: FollowerHost;
  readonly #push: (frames: readonly Frame[]) => void;
  #seq: number;
  #mode: Mode = "paused";
  #batch: Frame[] = [];

  constructor(host: FollowerHost, session: Key, seq: number, push: (frames: readonly Frame[]) => void) {
    this.#host = host;
    this.session = session;
    this.#seq = seq;
    this.#push = push;
  }

  /** False while it is paused or catches up: what is offered then is dropped. */
  get isLive(): boolean {
    return this.#mode === "live";
  }
  /** A committed row or live chunk; dropped unless this follower is live. */
  offer(frame: Frame): void {
    if (this.#mode !== "live") return;
    if (!isLive(frame) && frame.seq <= this.#seq) return;
    this.#batch.push(frame);
    if (this.#batch.length === 1) this.#host.ready(this);
  }

  /** Pushes what this tick has gathered. */
  flush(): void {
    if (this.#mode === "catching up") this.#page();
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    for (let i = batch.length - 1; i >= 0; i--) {
      const frame = batch[i] as Frame;
      if (isLive(frame)) continue;
      this.#seq = frame.seq;
      break;
    }
    this.#push(batch);
  }

  /** The log may have grown by another process's hand. */
  recheck(): void {
    if (this.#mode !== "live") return;
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
    const page = this.#host.rows(this.session, this.#seq, ROWS_PER_PAGE);
    if (page.length === ROWS_PER_PAGE) {
      this.#batch = page;
      this.#host.ready(this);
      return;
    }
    this.#mode = "live";
    this.#batch = [...page, ...this.#host.uncommitted(this.session)];
  }
}
