/**
 * An agent at the other end of a WebSocket, as a channel.
 *
 * I1. A frame is one message, text or binary; what is none is dropped, and too many of them end the socket.
 * I2. A reader that is behind stops the socket; nothing is gathered for it without end.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { Channel, OpenChannel } from "../../actors/acp-client/channel.ts";
import { messageOf } from "../../actors/acp-client/json.ts";
import type { Address } from "./address.ts";
import { openSocket, type Socket } from "./socket.ts";

const MAX_NOISE = 100;
const HELD_MESSAGES = 256;

/** A way to open such channels. */
export const socketTo =
  (address: Address): OpenChannel =>
  async (signal) =>
    channelOf(await openSocket(address, signal));

function channelOf({ ws, ended, abandon, end }: Socket): Channel {
  let isOpen = true;
  let noise = 0;
  let controller!: ReadableStreamDefaultController<AnyMessage>;
  const readable = new ReadableStream<AnyMessage>(
    {
      start: (one) => {
        controller = one;
      },
      pull: () => ws.resume(),
      cancel: () => {
        isOpen = false;
      },
    },
    { highWaterMark: HELD_MESSAGES },
  );
  ws.on("message", (data: Buffer) => {
    const message = messageOf(data.toString("utf8"));
    if (message === null) {
      if (++noise > MAX_NOISE) abandon("the server sends frames that are no messages");
      return;
    }
    if (!isOpen) return;
    controller.enqueue(message as AnyMessage);
    if ((controller.desiredSize ?? 0) <= 0) ws.pause();
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        ws.send(JSON.stringify(message), { binary: false }, (error) => (error ? reject(error) : resolve()));
      }),
  });
  return {
    stream: { readable, writable },
    ended: ended.then(({ why }) => {
      if (isOpen) controller.close();
      isOpen = false;
      return why;
    }),
    end,
  };
}
