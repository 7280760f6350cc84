/**
 * `troupe acp connect --stdio`: an editor that can only start a program, and an agent behind an address.
 * Over HTTP `http-bridge.ts` does what is said here, but for I1; the rest is of sockets.
 *
 * I1. A message is handed on as it came, byte for byte; the bridge reads none. Only a newline inside a frame, where it
 *     means nothing to JSON, becomes a space, since a newline ends a message on a pipe.
 * I2. A line that is too long is refused to the editor, as `troupe acp` does, and does not reach the server.
 * I3. Whichever side is slow stops the other one; nothing is gathered without end.
 * I4. When one end ends, the other one does. Nothing is sent again: what was in flight, only the editor can judge.
 * I5. Nothing but the server's messages, and such refusals, is written to the output.
 */
import { ClientError } from "../../actors/acp-client/errors.ts";
import { ByteLines } from "../acp/byte-lines.ts";
import { MAX_LINE_BYTES, tooLarge } from "../acp/framer.ts";
import { type Address, type AddressOptions, addressOf } from "./address.ts";
import { type BridgeEnds, free } from "./bridge-ends.ts";
import { openSocket } from "./socket.ts";

const HELD_BYTES = 1024 * 1024;
const GOOD_BYE = new Set([1000, 1001, 1005]);

/** Carries messages both ways until one end ends. Rejects when the server cannot be reached, or the connection breaks. */
export async function bridge({ input, output, ...options }: AddressOptions & BridgeEnds): Promise<void> {
  const address = addressOf(options);
  const ends = { input, output };
  if (address.way === "socket") return await bridgeSocket(address, ends);
  const { bridgeHttp } = await import("./http-bridge.ts");
  return await bridgeHttp(address, ends);
}

async function bridgeSocket(address: Address, { input: source, output }: BridgeEnds): Promise<void> {
  const hungUp = new AbortController();
  const socket = await openSocket(address, hungUp.signal);
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
  let isFull = false;
  const toEditor = (text: string): void => {
    // What has come in one piece is handed on in one piece, full or not.
    if (output.write(`${text}\n`) || isFull) return;
    isFull = true;
    ws.pause();
    void free(output).then(() => {
      isFull = false;
      ws.resume();
    });
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
  output.once("close", hangUp);
  ws.on("message", (data: Buffer) => toEditor(data.toString("utf8").replaceAll(/[\r\n]+/g, " ")));
  ws.resume();
  const { code, why } = await ended;
  const isOurs = isOver;
  isOver = true;
  input.destroy();
  // What has come is handed on before the program ends.
  await free(output);
  if (!isOurs && !GOOD_BYE.has(code)) throw new ClientError("eof", why, { code });
}
