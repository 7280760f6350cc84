/**
 * A host's standard input and output, on which `subscriptions/listen` takes tasks too: the SDK serves all the rest of it,
 * and knows no tasks.
 *
 * I1. The acknowledgement names the tasks that are followed, and comes before any news of them.
 * I2. A listening that is cancelled or has ended says nothing more.
 */
import {
  isJSONRPCNotification,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type MessageExtraInfo,
  type ProtocolError,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import { Subscription } from "rxjs";
import type { McpServed } from "./served.ts";
import { knownTasks, type TaskListen, taskListenOf, taskNews } from "./task-news.ts";

type Listening = { listen: TaskListen; news: Subscription };

export class ListeningWire implements Transport {
  readonly #wire: Transport;
  readonly #served: McpServed;
  readonly #listening = new Map<unknown, Listening>();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  constructor(wire: Transport, served: McpServed) {
    this.#wire = wire;
    this.#served = served;
  }

  async start(): Promise<void> {
    this.#wire.onmessage = (message, extra) => this.#take(message, extra);
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      for (const id of [...this.#listening.keys()]) this.#end(id);
      this.onclose?.();
    };
    await this.#wire.start();
  }
  async close(): Promise<void> {
    await this.#wire.close();
  }
  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResponse(message)) this.#end(message.id);
    else if (isJSONRPCNotification(message) && message.method === "notifications/subscriptions/acknowledged") {
      const listening = this.#listening.get(message.params?._meta?.[SUBSCRIPTION_ID_META_KEY]);
      if (listening !== undefined) return await this.#acknowledge(message, listening);
    }
    await this.#wire.send(message);
  }

  #take(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    try {
      const listen = taskListenOf(message);
      if (listen !== null) this.#listening.set(listen.id, { listen, news: new Subscription() });
    } catch (error) {
      const { code, message: why, data } = error as ProtocolError;
      const { id } = message as { id: string | number };
      this.#tell({ jsonrpc: "2.0", id, error: { code, message: why, data } });
      return;
    }
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      this.#end(message.params?.["requestId"]);
    this.onmessage?.(message, extra);
  }
  async #acknowledge(message: JSONRPCNotification, { listen, news }: Listening): Promise<void> {
    const taskIds = await knownTasks(this.#served, listen);
    const { notifications } = (message.params ?? {}) as { notifications?: object };
    await this.#wire.send({
      ...message,
      params: { ...message.params, notifications: { ...notifications, ...(taskIds.length === 0 ? {} : { taskIds }) } },
    });
    news.add(taskNews(this.#served, taskIds, listen).subscribe((one) => this.#tell(one)));
  }
  #tell(message: JSONRPCMessage): void {
    this.#wire.send(message).catch((error: Error) => this.onerror?.(error));
  }
  #end(id: unknown): void {
    this.#listening.get(id)?.news.unsubscribe();
    this.#listening.delete(id);
  }
}
