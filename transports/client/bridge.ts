/**
 * `troupe acp connect --stdio`: an editor that can only start a program, and an agent behind a WebSocket.
 *
 * I1. A message is handed on as it came, byte for byte; the bridge reads none. Only a newline inside a frame, where it
 *     means nothing to JSON, becomes a space, since a newline ends a message on a pipe.
 * I2. A line that is too long is refused to the editor, as `troupe acp` does, and does not reach the server.
 * I3. Whichever side is slow stops the other one; nothing is gathered without end.
 * I4. When one end ends, the other one does. Nothing is sent again: what was in flight, only the editor can judge.
 * I5. Nothing but the server's messages, and such refusals, is written to the output.
 */
import type { Readable, Writable } from "node:stream";
import { ClientError } from "../../actors/acp-client/errors.ts";
import { ByteLines } from "../acp/byte-lines.ts";
import { MAX_LINE_BYTES, tooLarge } from "../acp/framer.ts";
import type { Take } from "../acp/input.ts";
import { addressOf, openSocket, type SocketOptions } from "./socket.ts";

const HELD_BYTES = 1024 * 1024;
const GOOD_BYE = new Set([1000, 1001, 1005]);

export type BridgeOptions = SocketOptions & {
  /** Begins to read the editor's bytes. */
  input: (take: Take) => Readable;
  output: Writable;
};

/** Carries messages both ways until one end ends. Rejects when the server cannot be reached, or the connection breaks. */
export async function bridge({ input: source, output, ...options }: BridgeOptions): Promise<void> {
  const hungUp = new AbortController();
  const socket = await openSocket(addressOf(options), hungUp.signal);
  const { ws, ended, end } = socket;
  let isOver = false;
  const toServer = (line: Buffer): void => {
    const text = line.toString("utf8");
    if (text.trim() === "" || isOver) return;
    ws.send(text, { binary: false }, () => {
      if (ws.bufferedAmount <= HELD_BYTES) input.resume();
    });
    if (ws.bufferedAmount > HELD_BYTES) input.pause();
  };
  const toEditor = (text: string): void => {
    if (output.write(`${text}\n`)) return;
    ws.pause();
    output.once("drain", () => ws.resume());
  };
  const lines = new ByteLines({
    maxBytes: MAX_LINE_BYTES,
    onLine: toServer,
    onTooLong: () => toEditor(JSON.stringify(tooLarge(MAX_LINE_BYTES))),
  });
  const input = source((bytes) => lines.take(bytes));
  const hangUp = (): void => {
    if (isOver) return;
    lines.end();
    isOver = true;
    void end();
  };
  input.once("end", hangUp);
  input.once("close", hangUp);
  input.once("error", hangUp);
  output.once("error", hangUp);
  ws.on("message", (data: Buffer) => toEditor(data.toString("utf8").replaceAll(/[\r\n]+/g, " ")));
  ws.resume();
  const { code, why } = await ended;
  const isOurs = isOver;
  isOver = true;
  input.destroy();
  // What has come is handed on before the program ends.
  if (output.writableNeedDrain) await new Promise((resolve) => output.once("drain", resolve).once("error", resolve));
  if (!isOurs && !GOOD_BYE.has(code)) throw new ClientError("eof", why, { code });
}
