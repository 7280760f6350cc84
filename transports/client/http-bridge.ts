/**
 * The bridge to an agent behind HTTP.
 *
 * I1. A message is read and written anew: what it says stays the same, byte for byte it does not.
 * I2. What is no message, and what comes before `initialize`, is refused here: over HTTP there is no connection to send
 *     it to.
 * I3. Nothing more is read from the editor while a message waits for the server.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { MemoryAcpCookieStore } from "@agentclientprotocol/sdk/experimental/http-client";
import { ClientError } from "../../actors/acp-client/errors.ts";
import { Framer, type Message, refusal } from "../acp/framer.ts";
import type { Address } from "./address.ts";
import { type BridgeEnds, free } from "./bridge-ends.ts";
import { openHttp } from "./http.ts";

/** As `bridge`. */
export async function bridgeHttp(address: Address, { input: source, output }: BridgeEnds): Promise<void> {
  const line = openHttp(address, new MemoryAcpCookieStore());
  let isOver = false;
  let isBegun = false;
  let waiting = 0;
  const toEditor = (message: object): boolean => output.write(`${JSON.stringify(message)}\n`);
  const take = (message: Message): void => {
    if (isOver) return;
    if (!isBegun && !isHello(message)) {
      const { id = null } = message;
      toEditor({ ...refusal(-32600, "Invalid request: the connection begins with initialize"), id });
      return;
    }
    isBegun = true;
    waiting++;
    input.pause();
    const taken = (): void => {
      waiting--;
      if (waiting === 0 && !isOver) input.resume();
    };
    line.send(message as AnyMessage).then(taken, taken); // what fails ends the line
  };
  const framer = new Framer({ message: take, refuse: toEditor });
  const input = source((bytes) => framer.take(bytes));
  const hangUp = (): void => {
    if (isOver) return;
    framer.end();
    isOver = true;
    void line.end();
  };
  for (const event of ["end", "close", "error"]) input.once(event, hangUp);
  output.once("error", hangUp);
  output.once("close", hangUp);
  const read = async (): Promise<void> => {
    for await (const message of line.readable as AsyncIterable<AnyMessage>) if (!toEditor(message)) await free(output);
  };
  const reading = read().catch(() => undefined); // the line says why it has ended
  const { isGoodbye, why } = await line.ended;
  const isOurs = isOver;
  isOver = true;
  input.destroy();
  await Promise.all([reading, line.end()]);
  await free(output);
  if (!isOurs && !isGoodbye) throw line.refusal() ?? new ClientError("eof", why);
}

const isHello = ({ jsonrpc, id, method }: Message): boolean =>
  jsonrpc === "2.0" && method === "initialize" && (typeof id === "string" || typeof id === "number");
