/**
 * An answer that is a stream of server-sent events: its head, its signs of life, its reader's end.
 *
 * I1. A reader that takes nothing for `stallMs` is cut off, also when all was sent; it is given no sign of life meanwhile.
 * I2. When it has gone, nothing of it is left.
 */
import type { Exchanged } from "../endpoint.ts";

export type ReaderLimits = { heartbeatMs: number; stallMs: number };
type Hears = {
  /** The reader takes nothing more for now. */
  full?: () => void;
  /** It takes something again. */
  free: () => void;
  gone: () => void;
};
export type EventStream = {
  readonly isFull: boolean;
  /** False where it is full now. */
  write(events: string | Uint8Array): boolean;
  /** Nothing more comes. */
  end(): void;
};

const HEAD = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies that gather an answer would keep events back.
  "x-accel-buffering": "no",
};
const HEARTBEAT = new TextEncoder().encode(": still here\n\n");

/** Answers one who asks for the head alone; false for every other. */
export function isHeadAlone({ request, response }: Exchanged): boolean {
  if (request.method !== "HEAD") return false;
  response.writeHead(200, HEAD).end();
  return true;
}

export function eventStream(
  { response }: Exchanged,
  { heartbeatMs, stallMs }: ReaderLimits,
  hears: Hears,
): EventStream {
  let stall: NodeJS.Timeout | undefined;
  const waits = (): void => {
    stall ??= setTimeout(() => response.destroy(), stallMs);
    hears.full?.();
  };
  const write = (events: string | Uint8Array): boolean => {
    const takesMore = response.write(events);
    if (!takesMore) waits();
    return takesMore;
  };
  response.writeHead(200, HEAD);
  response.flushHeaders();
  const heart = setInterval(() => {
    if (stall === undefined) write(HEARTBEAT);
  }, heartbeatMs);
  response.on("drain", () => {
    clearTimeout(stall);
    stall = undefined;
    hears.free();
  });
  response.on("close", () => {
    clearInterval(heart);
    clearTimeout(stall);
    hears.gone();
  });
  response.on("error", () => undefined); // its close says the same
  return {
    get isFull() {
      return stall !== undefined;
    },
    write,
    end: () => {
      clearInterval(heart);
      response.end();
      waits(); // until it has taken the end
    },
  };
}
