/** Channels for tests: a pair in memory, whose far end a test plays. */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { Channel } from "../../actors/acp-client/channel.ts";

export type Pair = {
  channel: Channel;
  /** The agent's end, for the SDK's `agent()`. */
  far: Stream;
  /** Every message that the client has sent. */
  sent: AnyMessage[];
  /** Sends to the client as the agent. */
  say(message: object): void;
  /** Cuts the connection from the agent's side. */
  cut(why?: string): void;
  readonly isEnded: boolean;
};

/** `takes`: awaited by every message that the client sends; it may throw, as a broken connection does. */
export function channelPair({ takes }: { takes?: (message: AnyMessage) => Promise<void> | void } = {}): Pair {
  const sent: AnyMessage[] = [];
  const over = Promise.withResolvers<string>();
  let isEnded = false;
  let toClient!: ReadableStreamDefaultController<AnyMessage>;
  let toAgent!: ReadableStreamDefaultController<AnyMessage>;
  const readable = new ReadableStream<AnyMessage>({
    start: (one) => {
      toClient = one;
    },
  });
  const incoming = new ReadableStream<AnyMessage>({
    start: (one) => {
      toAgent = one;
    },
  });
  const finish = (why: string): void => {
    if (isEnded) return;
    isEnded = true;
    over.resolve(why);
    for (const one of [toClient, toAgent]) {
      try {
        one.close();
      } catch {
        // Its reader has gone.
      }
    }
  };
  const writable = new WritableStream<AnyMessage>({
    write: async (message) => {
      if (isEnded) throw new Error("the channel has ended");
      await takes?.(message);
      sent.push(message);
      if (!isEnded) toAgent.enqueue(message);
    },
  });
  const far: Stream = {
    readable: incoming,
    writable: new WritableStream<AnyMessage>({
      write: (message) => {
        if (!isEnded) toClient.enqueue(message);
      },
    }),
  };
  return {
    channel: {
      stream: { readable, writable },
      ended: over.promise,
      end: async () => finish(""),
    },
    far,
    sent,
    say: (message) => {
      if (!isEnded) toClient.enqueue({ jsonrpc: "2.0", ...message } as AnyMessage);
    },
    cut: (why = "cut") => finish(why),
    get isEnded() {
      return isEnded;
    },
  };
}
