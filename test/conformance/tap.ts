/** Makes connections for `troupe/client` whose messages a scenario can see, hold back, repeat or drop. */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { Channel, OpenChannel } from "../../actors/acp-client/channel.ts";
import type { Sent } from "../support/acp-schema.ts";

export type Deliver = (message: object) => void;

export class Tap {
  readonly trace: Sent[] = [];
  /** Gets every message of the agent; only what it hands to `deliver` reaches the client. */
  hear: (message: AnyMessage, deliver: Deliver) => void = (message, deliver) => deliver(message);
  /** Each message of the client awaits this. It may throw, like a broken connection. */
  take: (message: AnyMessage, connection: number) => Promise<void> | void = () => undefined;
  connections = 0;
  readonly #open: OpenChannel;
  #channel: Channel | null = null;
  #wanted: { isIt: (sent: Sent) => boolean; resolve: () => void }[] = [];

  constructor(open: OpenChannel) {
    this.#open = open;
  }

  readonly open: OpenChannel = async (signal) => {
    const connection = ++this.connections;
    const channel = await this.#open(signal);
    this.#channel = channel;
    const readable = channel.stream.readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        transform: (message, controller) => {
          this.#note({ from: "agent", message: { ...message } });
          this.hear(message, (one) => controller.enqueue(one as AnyMessage));
        },
      }),
    );
    const out = channel.stream.writable.getWriter();
    const writable = new WritableStream<AnyMessage>({
      write: async (message) => {
        await this.take(message, connection);
        this.#note({ from: "client", message: { ...message } });
        await out.write(message);
      },
    });
    return { ...channel, stream: { readable, writable }, ended: channel.ended, end: () => channel.end() };
  };
  /** Breaks the present connection. */
  async cut(): Promise<void> {
    await this.#channel?.end();
  }
  /** Resolves when a matching message has passed. */
  sees(isIt: (sent: Sent) => boolean): Promise<void> {
    if (this.trace.some(isIt)) return Promise.resolve();
    return new Promise((resolve) => this.#wanted.push({ isIt, resolve }));
  }
  /** The ids of the client's requests with this method. */
  ids(method: string): unknown[] {
    return this.trace.flatMap(({ from, message }) =>
      from === "client" && message["method"] === method ? [message["id"]] : [],
    );
  }

  #note(sent: Sent): void {
    this.trace.push(sent);
    const met = this.#wanted.filter(({ isIt }) => isIt(sent));
    this.#wanted = this.#wanted.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve();
  }
}
