/**
 * A log of frames for who looks for a fault, where it was asked for: the last ones of every connection, masked. H56.
 *
 * I1. It is a file of its own, 0600, never standard output. Two files in turn hold at least the last `most` frames.
 * I2. A file is closed once, when the next one is open: its number is another file's by then. Who removes one of them
 *     takes its frames away, and no later ones.
 */
import { closeSync, constants, existsSync, fchmodSync, openSync, renameSync, writeSync } from "node:fs";
import type { WireFrame } from "../../../machines/conversation/entry.ts";
import { FrameMask, type FrameMasking } from "./frame-mask.ts";

export const MOST_FRAMES = 2_000;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** `end`: nothing more is heard on it. */
export type HeardFrames = { sent(frame: WireFrame): void; got(frame: WireFrame): void; end(): void };

export class FramesLog {
  readonly #path: string;
  readonly #most: number;
  readonly #now: () => number;
  readonly #mask: FrameMasking;
  readonly #own: HeardFrames;
  #file: number;
  #frames = 0;
  #isClosed = false;

  constructor(
    path: string,
    { mask, now, most = MOST_FRAMES }: { mask: FrameMasking; now: () => number; most?: number },
  ) {
    this.#path = path;
    this.#most = most;
    this.#now = now;
    this.#mask = mask;
    this.#own = this.connection({});
    this.#file = opened(path, O_TRUNC);
  }

  /** The ear on one connection: text that comes in pieces is one text in it alone. `about` says whose it is. */
  connection(about: { readonly [name: string]: string }): HeardFrames {
    const masks = { sent: new FrameMask(this.#mask), got: new FrameMask(this.#mask) };
    return {
      sent: (frame) => {
        for (const one of masks.sent.frames(frame)) this.#write({ ...about, sent: one });
      },
      got: (frame) => {
        for (const one of masks.got.frames(frame)) this.#write({ ...about, got: one });
      },
      end: () => {
        for (const one of masks.got.rest()) this.#write({ ...about, got: one });
      },
    };
  }
  sent(frame: WireFrame): void {
    this.#own.sent(frame);
  }
  got(frame: WireFrame): void {
    this.#own.got(frame);
  }
  /** A second call does nothing; what is heard afterwards is dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#own.end();
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #write(said: object): void {
    if (this.#isClosed) return;
    if (this.#frames >= this.#most) this.#turn();
    writeSync(this.#file, `${JSON.stringify({ at: this.#now(), ...said })}\n`);
    this.#frames += 1;
  }

  /** I2. */
  #turn(): void {
    if (existsSync(this.#path)) renameSync(this.#path, `${this.#path}.1`);
    const next = opened(this.#path, 0);
    closeSync(this.#file);
    this.#file = next;
    this.#frames = 0;
  }
}

function opened(path: string, more: number): number {
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | more, 0o600);
  fchmodSync(file, 0o600);
  return file;
}
