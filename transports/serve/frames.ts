/**
 * Messages out on a socket: one text frame each, the frames of a tick in few writes.
 *
 * I1. At most PIECE_CHARS are handed over at once; the rest waits until the reader has taken them.
 * I2. A reader that takes nothing for `stallMs` is reported, once, and given nothing more.
 */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { Outgoing } from "../acp/outgoing.ts";

const PIECE_CHARS = 64 * 1024;
const TEXT = { binary: false, compress: false } as const;

export type FrameWriterOptions = {
  ws: WebSocket;
  /** The one below it: it knows how much waits. */
  socket: Duplex;
  stallMs: number;
  onStalled: () => void;
  onClosed: () => void;
};

export class FrameWriter extends Outgoing {
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #stallMs: number;
  readonly #onStalled: () => void;
  #stall: NodeJS.Timeout | undefined;

  constructor({ ws, socket, stallMs, onStalled, onClosed }: FrameWriterOptions) {
    super(onClosed);
    this.#ws = ws;
    this.#socket = socket;
    this.#stallMs = stallMs;
    this.#onStalled = onStalled;
    socket.on("drain", () => this.#drain());
    ws.on("close", () => this.#end());
  }

  protected get isFull(): boolean {
    return this.#socket.writableNeedDrain;
  }
  protected carry(lines: readonly string[]): number {
    const socket = this.#socket;
    let taken = 0;
    let chars = 0;
    socket.cork();
    while (taken < lines.length && chars < PIECE_CHARS) {
      const line = lines[taken++] as string;
      chars += line.length;
      this.#ws.send(line, TEXT);
    }
    socket.uncork();
    if (socket.writableNeedDrain) this.#stall ??= setTimeout(() => this.#stalled(), this.#stallMs);
    return taken;
  }

  #drain(): void {
    clearTimeout(this.#stall);
    this.#stall = undefined;
    this.free();
  }
  #stalled(): void {
    this.#end();
    this.#onStalled();
  }
  #end(): void {
    clearTimeout(this.#stall);
    this.end();
  }
}
