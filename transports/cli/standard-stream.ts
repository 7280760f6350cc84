/**
 * Standard output, or standard error, as a command writes to it.
 *
 * I1. A terminal is written to by Node's stream. What else there may be is written at once: to load Node's streams takes
 *     a tenth of the time of a short command.
 * I2. What cannot be written at once, as to a full pipe that does not wait, goes through the stream, and all that comes
 *     after it: nothing is lost, and nothing overtakes.
 * I3. `failed` hears of each write that fails, and never within it.
 */
import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import type { Writable } from "node:stream";
import { isatty } from "node:tty";

type Failed = (error: NodeJS.ErrnoException) => void;

/** Whether a person may read or type there. */
export function isTerminal(fd: number): boolean {
  // Node's module of terminals loads that of sockets: it is asked where the answer may be yes.
  const { rdev, isDevice } = deviceOf(() => fstatSync(fd));
  return isDevice && rdev !== deviceOf(() => statSync(devNull)).rdev && isatty(fd);
}

function deviceOf(look: () => ReturnType<typeof fstatSync>): { rdev: number | null; isDevice: boolean } {
  try {
    const stat = look();
    return { rdev: Number(stat.rdev), isDevice: stat.isCharacterDevice() };
  } catch {
    return { rdev: null, isDevice: true }; // cannot tell
  }
}

export class StandardStream {
  readonly #fd: number;
  readonly #open: () => Writable;
  readonly #failed: Failed;
  #stream: Writable | null = null;

  /** `open`: gives Node's stream of it, which is asked for when it is needed. */
  constructor(fd: number, { isTerminal, open, failed }: { isTerminal: boolean; open: () => Writable; failed: Failed }) {
    this.#fd = fd;
    this.#open = open;
    this.#failed = failed;
    if (isTerminal) void this.stream;
  }

  write(text: string): void {
    const stream = this.#stream;
    if (stream !== null) return void stream.write(text);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#fd, bytes, at);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EAGAIN") return void this.stream.write(bytes.subarray(at));
        return queueMicrotask(() => this.#failed(error as NodeJS.ErrnoException));
      }
    }
  }

  /** Node's stream of it; opened when it is first asked for. */
  get stream(): Writable {
    this.#stream ??= this.#open().on("error", this.#failed);
    return this.#stream;
  }
}
