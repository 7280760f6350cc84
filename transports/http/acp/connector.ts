/**
 * One client of the agent behind the SDK's HTTP server: the same service as on a socket.
 *
 * I1. What arrives goes through the same checks as a line or a frame.
 */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { HandleRequestOptions } from "@agentclientprotocol/sdk/experimental/server";
import { takeMessage } from "../../acp/framer.ts";
import { Served, type ServedOptions } from "../../acp/served.ts";
import type { Questions } from "./belonging.ts";
import { MessageWriter } from "./messages.ts";

type AgentConnector = NonNullable<HandleRequestOptions["agent"]>;
export type ClientOptions = Omit<ServedOptions, "writer" | "prepare" | "failed">;

/** Connects a client that the SDK has accepted. `onGone` is called when nothing of it is left. */
export const connector = (options: ClientOptions, questions: Questions, onGone: () => void): AgentConnector => ({
  connect(stream: Stream) {
    const ended = Promise.withResolvers<void>();
    const served = new Served({
      ...options,
      writer: new MessageWriter(stream.writable, ended.resolve, (message) => questions.note(message)),
      prepare: "late",
      failed: () => ended.resolve(),
    });
    const read = async (): Promise<void> => {
      for await (const message of stream.readable as ReadableStream<AnyMessage> & AsyncIterable<AnyMessage>)
        takeMessage(Buffer.from(JSON.stringify(message)), served.framing);
    };
    void Promise.race([read().catch(() => undefined), ended.promise])
      .then(() => served.close())
      .then(() => served.handled())
      .finally(onGone);
    return { closed: ended.promise };
  },
});
