/**
 * Whether a message of a WebSocket has begun and is not whole, read from the heads of its frames as they come in.
 *
 * I1. A message is given `ms` from its first byte. Frames of control between its pieces win it no time.
 * I2. While we read nothing, no time counts.
 */
import type { Duplex } from "node:stream";

const CONTROL = 0x8;
const MOST_HEAD = 14;

/** `isWhole`: nothing has begun. `ended`: how many messages have been whole. */
export class Frames {
  ended = 0;
  readonly #head = Buffer.alloc(MOST_HEAD);
  #filled = 0;
  /** Bytes of the frame's payload that are still to come. */
  #left = 0;
  /** The frame ends a message. */
  #ends = false;
  #isOpen = false;

  get isWhole(): boolean {
    return this.#filled === 0 && this.#left === 0 && !this.#isOpen;
  }
  take(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, piece.length - at);
        this.#left -= taken;
        at += taken;
      } else {
        this.#head[this.#filled++] = piece[at++] ?? 0;
        if (!this.#hasHead()) continue;
      }
      if (this.#left === 0 && this.#ends) this.#end();
    }
  }

  /** Whether the head of the frame has come; then what it says is taken. */
  #hasHead(): boolean {
    const head = this.#head;
    const [first = 0, second = 0] = head;
    const length = second & 0x7f;
    const more = length === 126 ? 2 : length === 127 ? 8 : 0;
    if (this.#filled < 2 || this.#filled < 2 + more + (second & 0x80 ? 4 : 0)) return false;
    this.#left = more === 0 ? length : more === 2 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
    this.#filled = 0;
    const isControl = (first & CONTROL) !== 0;
    this.#ends = !isControl && (first & 0x80) !== 0;
    if (!isControl) this.#isOpen = true;
    return true;
  }
  #end(): void {
    this.ended++;
    this.#isOpen = false;
    this.#ends = false;
  }
}

type Watched = { socket: Duplex; ms: number; isPaused: () => boolean; late: () => void };

/** Calls `late` when a message is not whole in time (I1, I2). Answers what ends that. */
export function watchBegun({ socket, ms, isPaused, late }: Watched): () => void {
  const frames = new Frames();
  let timer: NodeJS.Timeout | undefined;
  let of = 0;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const look = (): void => {
    if (isPaused()) timer?.refresh();
    else late();
  };
  socket.on("data", (piece: Buffer) => {
    frames.take(piece);
    if (frames.isWhole) return stop();
    if (timer !== undefined && of === frames.ended) return;
    stop();
    of = frames.ended;
    timer = setTimeout(look, ms);
  });
  return stop;
}
