/** Covers `begun.ts`: when a message of a WebSocket is whole, however its bytes are cut. */
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Frames, watchBegun } from "../../../transports/serve/begun.ts";

const MASK = [1, 2, 3, 4];
/** A frame as a client sends it. */
function frame(bytes: number, { opcode = 1, isLast = true } = {}): Buffer {
  const length = bytes < 126 ? [bytes] : bytes < 65_536 ? [126, bytes >> 8, bytes & 0xff] : [127, 0, 0, 0, 0];
  if (bytes >= 65_536) length.push(bytes >>> 24, (bytes >> 16) & 0xff, (bytes >> 8) & 0xff, bytes & 0xff);
  const [first = 0, ...more] = length;
  return Buffer.concat([
    Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | first, ...more, ...MASK]),
    Buffer.alloc(bytes),
  ]);
}
const begin = { isLast: false };
const more = { opcode: 0, isLast: false };
const last = { opcode: 0 };
const ping = { opcode: 9 };

test.each([0, 1, 125, 126, 65_535, 65_536, 70_000])("a message of %i bytes, in pieces", (bytes) => {
  const all = Buffer.concat([frame(bytes, begin), frame(0, ping), frame(3, more), frame(7, ping), frame(bytes, last)]);
  for (const size of [1, 2, 7, 1_000, all.length]) {
    const frames = new Frames();
    const wholeAt: number[] = [];
    for (let at = 0; at < all.length; at += size) {
      if (frames.isWhole) wholeAt.push(at);
      frames.take(all.subarray(at, at + size));
    }
    expect([wholeAt, frames.isWhole, frames.ended]).toEqual([[0], true, 1]);
    frames.take(Buffer.concat([frame(bytes), frame(bytes), frame(4, ping)]));
    expect([frames.isWhole, frames.ended]).toEqual([true, 3]);
  }
});

let socket: PassThrough;
let late: () => void;
let isPaused = false;
beforeEach(() => {
  vi.useFakeTimers();
  socket = new PassThrough();
  late = vi.fn<() => void>();
  isPaused = false;
  watchBegun({ socket, ms: 100, isPaused: () => isPaused, late });
});
afterEach(() => vi.useRealTimers());
const comes = async (bytes: Buffer, ms: number): Promise<void> => {
  socket.emit("data", bytes);
  await vi.advanceTimersByTimeAsync(ms);
};

test("who ends no message is late, whatever else comes (I1)", async () => {
  await comes(frame(3, begin), 60);
  await comes(frame(3, ping), 30);
  expect(late).not.toHaveBeenCalled();
  await comes(frame(3, more), 20);
  expect(late).toHaveBeenCalledTimes(1);
});

test("each message has its own time, also where pieces of the network end in the midst of one (I1)", async () => {
  const three = Buffer.concat([frame(50), frame(50), frame(50)]);
  await comes(three.subarray(0, 70), 60);
  await comes(three.subarray(70, 130), 60);
  await comes(three.subarray(130), 500);
  expect(late).not.toHaveBeenCalled();
});

test("while nothing is read no time counts (I2)", async () => {
  isPaused = true;
  await comes(frame(3, begin), 250);
  expect(late).not.toHaveBeenCalled();
  isPaused = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(late).toHaveBeenCalledTimes(1);
});
