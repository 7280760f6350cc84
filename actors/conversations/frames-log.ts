/**
 * A log of frames for who looks for a fault, where it was asked for: the last ones of every connection, masked. H56.
 *
 * I1. It is a file of its own, 0600, never standard output. Two files in turn hold at least the last `most` frames.
 */
import { closeSync, constants, fchmodSync, openSync, renameSync, writeSync } from "node:fs";
import type { WireFrame } from "../../machines/conversation/entry.ts";
import { FrameMask, type FrameMasking } from "./frame-mask.ts";

export const MOST_FRAMES = 2_000;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

export class FramesLog {
  readonly #path: string;
  readonly #most: number;
  readonly #now: () => number;
  readonly #masks: { sent: FrameMask; got: FrameMask };
  #file: number;
  #frames = 0;

  constructor(
    path: string,
    { mask, now, most = MOST_FRAMES }: { mask: FrameMasking; now: () => number; most?: number },
  ) {
    this.#path = path;
    this.#most = most;
    this.#now = now;
    this.#masks = { sent: new FrameMask(mask), got: new FrameMask(mask) };
    this.#file = opened(path, O_TRUNC);
  }

  sent(frame: WireFrame): void {
    for (const one of this.#masks.sent.frames(frame)) this.#write({ sent: one });
  }
  got(frame: WireFrame): void {
    for (const one of this.#masks.got.frames(frame)) this.#write({ got: one });
  }
  close(): void {
    for (const one of this.#masks.got.rest()) this.#write({ got: one });
    closeSync(this.#file);
  }

  #write(said: { sent: WireFrame } | { got: WireFrame }): void {
    if (this.#frames >= this.#most) {
      closeSync(this.#file);
      renameSync(this.#path, `${this.#path}.1`);
      this.#file = opened(this.#path, 0);
      this.#frames = 0;
    }
    writeSync(this.#file, `${JSON.stringify({ at: this.#now(), ...said })}\n`);
    this.#frames += 1;
  }
}

function opened(path: string, more: number): number {
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | more, 0o600);
  fchmodSync(file, 0o600);
  return file;
}
