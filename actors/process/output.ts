/**
 * A child's output as text: decoded, in the order it arrives, up to a limit.
 *
 * I1. A character is never split: its first bytes wait for the rest. Bytes that are no UTF-8 become U+FFFD.
 * I2. Nothing is kept beyond those bytes.
 * I3. Not more than the limit is passed on, both streams together; `onLimit` is called once, for the first byte beyond.
 * I4. `onEnd` is called once a stream, when all of it was passed on: a child may close one and live on.
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

export type OutputStream = "stdout" | "stderr";

export type Output = {
  /** Passes on what waited for the rest of a character; nothing is passed on afterwards. */
  finish: () => void;
};

/** Reads both streams from now on. */
export function readOutput(o: {
  streams: { readonly [name in OutputStream]: Readable };
  onOutput: (stream: OutputStream, text: string) => void;
  maxBytes: number;
  onLimit: () => void;
  onEnd: (stream: OutputStream) => void;
}): Output {
  let left = o.maxBytes;
  let open = true;
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };

  function pass(name: OutputStream, text: string): void {
    if (text !== "") o.onOutput(name, text);
  }

  function read(name: OutputStream, bytes: Buffer): void {
    if (!open) return;
    pass(name, decoders[name].write(bytes.length > left ? bytes.subarray(0, left) : bytes));
    if (bytes.length > left) {
      finish();
      o.onLimit();
    }
    left -= bytes.length;
  }

  function finish(): void {
    if (!open) return;
    open = false;
    pass("stdout", decoders.stdout.end());
    pass("stderr", decoders.stderr.end());
  }

  for (const name of ["stdout", "stderr"] as const) {
    o.streams[name].on("data", (bytes: Buffer) => read(name, bytes));
    o.streams[name].on("end", () => open && o.onEnd(name));
    // A broken pipe is the end of the output, nothing more.
    o.streams[name].on("error", () => undefined);
  }
  return { finish };
}
