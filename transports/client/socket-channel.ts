/**
 * An agent at the other end of a WebSocket, as a channel.
 *
 * I1. A frame is one message, text or binary; what is none is dropped, and too many of them end the socket. Nobody waits
 *     for a message that is not read: something takes its place.
 * I2. A reader that is behind stops the socket; nothing is gathered for it without end.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { Channel, OpenChannel } from "../../actors/acp-client/channel.ts";
import { type Message, messageOf } from "../../actors/acp-client/json.ts";
import { insteadOf, unreadable } from "../../actors/acp-client/unread.ts";
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
  const read = (text: string): Message | null => {
    const message = messageOf(text);
    if (message !== null) return message;
    const why = unreadable(text);
    const instead = why === null ? null : insteadOf(text, why);
    if (instead !== null && "hear" in instead) return instead.hear;
    if (instead !== null) ws.send(JSON.stringify(instead.reply), { binary: false });
    else if (++noise > MAX_NOISE) abandon("the server sends frames that are no messages");
    return null;
  };
  ws.on("message", (data: Buffer) => {
    const message = read(data.toString("utf8"));
    if (message === null || !isOpen) return;
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
