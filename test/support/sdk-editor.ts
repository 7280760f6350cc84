/**
 * An editor made of the SDK's own client, on a socket or on a program's pipes. It keeps all that it hears, and answers
 * questions when the test says so.
 *
 * I1. A wait names what it waits for and looks at all that has come: a late wait misses nothing.
 */
import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type Stream,
} from "@agentclientprotocol/sdk";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { WebSocket } from "ws";
import { Holder } from "./holder.ts";
import type { Started } from "./started.ts";

const { agent, client: clientMethods } = methods;
/** A question that was put to this editor. */
export class Put {
  readonly request: RequestPermissionRequest;
  readonly answered = Promise.withResolvers<RequestPermissionResponse>();
  isWithdrawn = false;
  constructor(request: RequestPermissionRequest) {
    this.request = request;
  }
  /** Chooses the first option of this kind. */
  choose(kind: string): void {
    const option = this.request.options.find((one) => one.kind === kind);
    if (option === undefined) throw new Error(`no option is ${kind}`);
    this.answered.resolve({ outcome: { outcome: "selected", optionId: option.optionId } });
  }
}

export class SdkEditor {
  readonly holder = new Holder();
  readonly questions: Put[] = [];
  readonly #connection: ClientConnection;
  #wanted: { is: () => boolean; resolve: () => void; reject: (error: Error) => void }[] = [];

  private constructor(stream: Stream) {
    this.#connection = client({ name: "editor" })
      .onRequest(clientMethods.session.requestPermission, ({ params, signal }) => {
        const put = new Put(params);
        this.questions.push(put);
        signal.addEventListener("abort", () => {
          put.isWithdrawn = true;
          put.answered.resolve({ outcome: { outcome: "cancelled" } });
          this.#look();
        });
        this.#look();
        return put.answered.promise;
      })
      .onNotification(clientMethods.session.update, ({ params }) => {
        this.holder.hear(params.update);
        this.#look();
      })
      .connect(stream);
    this.#connection.signal.addEventListener("abort", () => {
      for (const { reject } of this.#wanted) reject(new Error("the connection has ended"));
    });
  }
  static async onSocket(url: string): Promise<SdkEditor> {
    return await new SdkEditor(createWebSocketStream(url, { WebSocket })).#initialized();
  }
  static async onPipes(started: Started): Promise<SdkEditor> {
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        started.onLine = (line) => controller.enqueue(JSON.parse(line) as AnyMessage);
        void started.ended.then(() => controller.close());
      },
    });
    const writable = new WritableStream<AnyMessage>({
      write: (message) => void started.child.stdin.write(`${JSON.stringify(message)}\n`),
    });
    return await new SdkEditor({ readable, writable }).#initialized();
  }
  async #initialized(): Promise<this> {
    await this.#connection.agent.request(agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    return this;
  }

  async open(cwd: string): Promise<string> {
    return (await this.#connection.agent.request(agent.session.new, { cwd, mcpServers: [] })).sessionId;
  }
  async attach(how: "load" | "resume", sessionId: string, cwd: string): Promise<void> {
    await this.#connection.agent.request(agent.session[how], { sessionId, cwd, mcpServers: [] });
  }
  async prompt(sessionId: string, text: string) {
    return await this.#connection.agent.request(agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }
  /** Resolves as soon as it holds. */
  until(is: () => boolean): Promise<void> {
    if (is()) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#wanted.push({ is, resolve, reject });
    promise.catch(() => undefined); // the one who waits handles it
    return promise;
  }
  /** Resolves when all that it was told holds this text. */
  hears(text: string): Promise<void> {
    return this.until(() => JSON.stringify(this.holder.held).includes(text));
  }
  /** The question that was put to it as the n-th, from 0. */
  async asked(n: number): Promise<Put> {
    await this.until(() => this.questions.length > n);
    return this.questions[n] as Put;
  }
  async leave(): Promise<void> {
    this.#connection.close();
    await this.#connection.closed;
  }

  #look(): void {
    const met = this.#wanted.filter(({ is }) => is());
    this.#wanted = this.#wanted.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve();
  }
}
