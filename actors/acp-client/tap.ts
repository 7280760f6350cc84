/**
 * An ear on a channel: every message in either direction is heard before it is passed on.
 *
 * I1. Nothing is changed, held back or put in another order. What the ear throws is not the channel's: it is reported.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { Channel } from "./channel.ts";

export type Ear = {
  sent(message: AnyMessage): void;
  got(message: AnyMessage): void;
  /** Hears what it could not take. */
  failed(error: unknown): void;
};

/** The same channel, heard by all of these. */
export function tapped<C extends Channel>(channel: C, ears: readonly Ear[]): C {
  if (ears.length === 0) return channel;
  const hear = (direction: "sent" | "got", message: AnyMessage): void => {
    for (const ear of ears)
      try {
        ear[direction](message);
      } catch (error) {
        ear.failed(error);
      }
  };
  const writer = channel.stream.writable.getWriter();
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      hear("sent", message);
      return writer.write(message);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  const reader = channel.stream.readable.getReader();
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        hear("got", value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  // What a process tells of itself is read when it is asked for.
  return Object.create(channel, { stream: { value: { readable, writable } } }) as C;
}
