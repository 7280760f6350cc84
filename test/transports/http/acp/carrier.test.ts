/** A connection's stream that carries sessions, on the SDK's own server. */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Carrier } from "../../../../transports/http/acp/carrier.ts";

const ADDRESS = "http://troupe.invalid/acp";
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const JSON_HEAD = { "content-type": "application/json" };
const answers = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });
const says = (n: number, sessionId = "s") => ({
  jsonrpc: "2.0" as const,
  method: "session/update",
  params: { sessionId, n },
});

/** A client and an agent of one connection. `seen`: what the client has read, of whatever stream, in order. */
class World {
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

describe("a session that is attached without a header", () => {
  test("is sent on the connection's stream, before the answer (I1)", async () => {
    const world = await World.open();
    await world.attach(1);
    for (let n = 0; n < 50; n++) world.say(says(n));
    world.say(answers(1));
    await world.readConnection();
    await world.sees(51);
    expect(world.story).toEqual([...Array.from({ length: 50 }, (_, n) => `${n}`), "answer 1"]);
    await world.close();
  });
  test("is sent on its own stream as soon as that is read, behind the answer that is waited for (I2)", async () => {
    const world = await World.open();
    await world.readConnection();
    await world.attach(1);
    world.say(says(0));
    await world.sees(1);
    await world.readSession();
    await tick();
    await tick();
    world.say(says(1));
    world.say(answers(1));
    await world.sees(3);
    await tick();
    await tick();
    world.say(says(2));
    await world.sees(4);
    expect(world.story).toEqual(["0", "1", "answer 1", "2"]);
    expect(world.seen.map(({ on }) => on)).toEqual(["connection", "connection", "connection", "session"]);
    await world.close();
  });
  test("loses nothing that is on its way when its own stream is opened, at whatever moment", async () => {
    for (let moment = 0; moment < 60; moment++) {
      const world = await World.open();
      await world.readConnection();
      await world.attach(1);
      world.say(answers(1));
      await world.sees(1);
      for (const n of [0, 1, 2]) world.say(says(n));
      for (let n = 0; n < moment; n++) await null;
      await world.readSession();
      await world.sees(4);
      expect(world.story).toEqual(["answer 1", "0", "1", "2"]);
      await world.close();
    }
  });
  test("continues on its own stream where the connection's is not read; what is waited for is kept for its reader", async () => {
    const world = await World.open();
    const reader = await world.readConnection();
    await world.attach(1);
    world.say(says(0));
    await world.sees(1);
    await reader.cancel();
    world.say(answers(1));
    world.say(says(1));
    await world.readSession();
    await world.sees(2);
    await world.readConnection();
    await world.sees(3);
    expect(world.story).toEqual(["0", "1", "answer 1"]);
    await world.close();
  });
  test("stays carried when its own stream was given up before its turn came", async () => {
    const world = await World.open();
    await world.readConnection();
    await world.attach(1);
    const own = await world.readSession();
    await own.cancel();
    await tick();
    world.say(says(0));
    world.say(answers(1));
    await world.sees(2);
    expect(world.story).toEqual(["0", "answer 1"]);
    expect(world.seen.map(({ on }) => on)).toEqual(["connection", "connection"]);
    await world.close();
  });
  test("another that has a stream of its own is not carried", async () => {
    const world = await World.open();
    await world.readSession();
    await world.attach(1);
    expect(world.carrier.carries("s")).toBe(false);
    await world.close();
  });
  test("is one of at most 256", async () => {
    const world = await World.open();
    const taken = await Promise.all(Array.from({ length: 256 }, (_, n) => world.carrier.carry(`s${n}`, n)));
    expect(new Set(taken)).toEqual(new Set([true]));
    expect([await world.carrier.carry("s300", 300), await world.carrier.carry("s1", 301)]).toEqual([false, true]);
    await world.close();
  });
});

test("whatever comes when, each update is read once and in order, and no answer before what it follows", async () => {
  const step = fc.constantFrom(
    "say",
    "say",
    "attach",
    "answer",
    "read the connection",
    "read the session",
    "tick",
    "breath",
  );
  const script = fc.array(step, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const world = await World.open();
      const told: string[] = [];
      let [n, ids] = [0, 0];
      const open: number[] = [];
      const reads = new Set<string>();
      const answer = (): void => {
        const id = open.shift();
        if (id === undefined) return;
        told.push(`answer ${id}`);
        world.say(answers(id));
      };
      for (const what of [...steps, "attach", "read the connection"] as const) {
        if (what === "say") {
          told.push(`${n}`);
          world.say(says(n++));
        } else if (what === "answer") answer();
        else if (what === "tick") await tick();
        else if (what === "breath") await null;
        else if (what === "attach" && !reads.has("read the session")) {
          open.push(++ids);
          await world.attach(ids);
        } else if (what === "read the connection" && !reads.has(what)) await world.readConnection();
        else if (what === "read the session" && !reads.has(what) && ids > 0) await world.readSession();
        if (what !== "read the session" || ids > 0) reads.add(what);
      }
      while (open.length > 0) answer();
      await world.sees(told.length);
      const { story } = world;
      await world.close();
      expect(story.toSorted()).toEqual(told.toSorted());
      const updates = (one: string[]): string[] => one.filter((each) => !each.startsWith("answer"));
      expect(updates(story)).toEqual(updates(told));
      // With a stream of its own the client has two, which have no order among them but at the beginning.
      if (reads.has("read the session")) return;
      for (const [at, each] of told.entries())
        if (each.startsWith("answer")) {
          const before = story.slice(0, story.indexOf(each));
          expect(updates(told.slice(0, at)).filter((update) => !before.includes(update))).toEqual([]);
        }
    }),
    { numRuns: 300 },
  );
});
