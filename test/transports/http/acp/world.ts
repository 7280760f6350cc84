/** A connection with a stream that carries sessions, and who sends and reads on it. */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createParser } from "eventsource-parser";
import { Carrier } from "../../../../transports/http/acp/carrier.ts";

const ADDRESS = "http://troupe.invalid/acp";
const JSON_HEAD = { "content-type": "application/json" };
export const answers = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

/** A client and an agent of one connection. `seen`: what the client has read, of whatever stream, in order. */
export class World {
  readonly seen: { on: "connection" | "session"; message: AnyMessage }[] = [];
  readonly carrier: Carrier;
  readonly #server: AcpServer;
  readonly #id: string;
  readonly #agent: WritableStreamDefaultWriter<AnyMessage>;
  #wanted: { count: number; resolve: () => void } | null = null;

  private constructor(server: AcpServer, id: string, agent: WritableStreamDefaultWriter<AnyMessage>) {
    this.#server = server;
    this.#id = id;
    this.#agent = agent;
    this.carrier = new Carrier((session) => this.#get(session));
  }
  static async open(): Promise<World> {
    let agent: WritableStreamDefaultWriter<AnyMessage> | undefined;
    const server = new AcpServer({
      agent: {
        connect: ({ readable, writable }: Stream) => {
          agent = writable.getWriter();
          const read = async (): Promise<void> => {
            for await (const message of readable as ReadableStream<AnyMessage> & AsyncIterable<AnyMessage>)
              if ((message as { method?: string }).method === "initialize") await agent?.write(answers(0));
          };
          void read().catch(() => undefined);
          return { closed: new Promise<void>(() => undefined) };
        },
      },
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    const answer = await server.handleRequest(new Request(ADDRESS, { method: "POST", headers: JSON_HEAD, body }));
    return new World(server, answer.headers.get("acp-connection-id") ?? "", agent!);
  }

  say(message: AnyMessage): void {
    void this.#agent.write(message);
  }
  /** The client attaches the session, and does not name it in a header. */
  async attach(id: number): Promise<void> {
    await this.carrier.carry("s", id);
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: "session/load", params: { sessionId: "s" } });
    await this.#server.handleRequest(
      new Request(ADDRESS, { method: "POST", headers: { ...JSON_HEAD, ...this.#head("s") }, body }),
    );
  }
  async readConnection(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    return this.#read("connection", this.carrier.connection((await this.#get(null)).body!));
  }
  async readSession(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { body } = this.carrier.carries("s") ? this.carrier.session("s") : await this.#get("s");
    return this.#read("session", body!);
  }
  /** Resolves when so many messages were read. */
  async sees(count: number): Promise<void> {
    if (this.seen.length < count)
      await new Promise<void>((resolve) => {
        this.#wanted = { count, resolve };
      });
  }
  /** What was read, in short: numbers of updates, and ids of answers. */
  get story(): string[] {
    return this.seen.map(({ message }) =>
      "method" in message ? `${(message.params as { n: number }).n}` : `answer ${(message as { id: number }).id}`,
    );
  }
  async close(): Promise<void> {
    await this.#server.close();
  }

  #head(session: string | null): { [name: string]: string } {
    return { "acp-connection-id": this.#id, ...(session === null ? {} : { "acp-session-id": session }) };
  }
  #get(session: string | null): Promise<Response> {
    const headers = { accept: "text/event-stream", ...this.#head(session) };
    return this.#server.handleRequest(new Request(ADDRESS, { headers }));
  }
  #read(on: "connection" | "session", body: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ data }) => {
        this.seen.push({ on, message: JSON.parse(data) as AnyMessage });
        if (this.seen.length >= (this.#wanted?.count ?? Number.POSITIVE_INFINITY)) this.#wanted?.resolve();
      },
    });
    const read = async (): Promise<void> => {
      for (let one = await reader.read(); !one.done; one = await reader.read()) parser.feed(decoder.decode(one.value));
    };
    void read().catch(() => undefined);
    return reader;
  }
}
