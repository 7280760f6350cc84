/**
 * Standard input, read into one buffer that is used again: a stream makes a new one for each portion, and a client
 * that sends without end would fill memory with buffers that are no longer held.
 *
 * I1. The bytes handed over are valid until the callback returns: who keeps them copies them.
 */
import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";

const STDIN = 0;
const PORTION = 64 * 1024;

export type Take = (bytes: Buffer) => void;

/** Reads standard input from now on. The stream reports its end, an error, and can be destroyed. */
export function readStdin(take: Take): Readable {
  const kind = fstatSync(STDIN, { throwIfNoEntry: false });
  if (kind === undefined || !(kind.isFIFO() || kind.isSocket())) return process.stdin.on("data", take);
  const buffer = Buffer.allocUnsafeSlow(PORTION);
  const callback = (length: number): boolean => {
    take(buffer.subarray(0, length));
    return true;
  };
  const input = new Socket({ fd: STDIN, readable: true, writable: false, onread: { buffer, callback } });
  // One descriptor cannot be watched twice, and to import node:process is to ask for its stdin.
  Object.defineProperty(process, "stdin", { configurable: true, enumerable: true, get: () => input });
  return input.resume();
}
