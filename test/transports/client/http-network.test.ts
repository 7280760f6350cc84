/** What the way over HTTP adds to the SDK's stream, on real sockets to a far end that does as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { MemoryAcpCookieStore } from "@agentclientprotocol/sdk/experimental/http-client";
import { expect, onTestFinished, test } from "vitest";
import { addressOf } from "../../../transports/client/address.ts";
import { type HttpLine, openHttp } from "../../../transports/client/http.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const HELLO: AnyMessage = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
const PING_MS = 60_000;
const PORTION = "x".repeat(16 * 1024);
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

type Far = {
  stream: (response: ServerResponse, session: string | undefined) => void;
  posted?: (message: { [name: string]: unknown }, response: ServerResponse) => void;
  asked?: (response: ServerResponse) => void;
};
async function met({ stream, posted, asked }: Far, clock?: ManualClock): Promise<HttpLine> {
  const takes = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "POST" && request.headers["acp-connection-id"] === undefined) {
      response.writeHead(200, { "acp-connection-id": "one", "content-type": "application/json" });
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }));
    }
    if (request.method === "POST") {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      return posted === undefined ? void response.writeHead(202).end() : posted(message, response);
    }
    if (request.method === "DELETE") return void response.writeHead(202).end();
    if (request.headers.accept !== "text/event-stream")
      return asked === undefined ? void response.writeHead(406).end() : asked(response);
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    stream(response, request.headers["acp-session-id"] as string | undefined);
  };
  const server = createServer((request, response) => void takes(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const line = openHttp(addressOf({ url, pingMs: PING_MS }), new MemoryAcpCookieStore(), clock);
  onTestFinished(async () => {
    await line.end();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await line.send(HELLO);
  return line;
}
const silent = (): void => undefined;

test("I1: what is not read stays at the server; what is read on comes whole and in order", async () => {
  const count = 4_000;
  let poured = 0;
  const line = await met({
    stream: (response) => {
      const pour = (): void => {
        while (poured < count) if (!response.write(event({ method: "x", params: { n: poured++, PORTION } }))) return;
      };
      response.on("drain", pour);
      pour();
    },
  });
  const reader = line.readable.getReader();
  await reader.read();
  let before = -1;
  const stands = (): boolean => {
    const isStill = poured > 0 && poured === before;
    before = poured;
    return isStill;
  };
  await expect.poll(stands, { interval: 500 }).toBe(true);
  // 62 MiB in all: what went out is in the buffers of the system.
  expect(poured).toBeLessThan(count / 2);
  for (let n = 0; n < count; n++) {
    const { value } = await reader.read();
    expect((value as { params: { n: number } }).params.n).toBe(n);
  }
});

test("I4: a server that is silent and gives no sign of life is gone; one that gives it is not", async () => {
  const clock = new ManualClock();
  const asked: ServerResponse[] = [];
  const far: Far = {
    stream: (response) => void response.write(event({ method: "x" })),
    asked: (response) => void asked.push(response),
  };
  const line = await met(far, clock);
  const reader = line.readable.getReader();
  await reader.read();
  await reader.read(); // from here on the server is silent
  for (let signs = 0; signs < 3; signs++) {
    clock.advance(PING_MS);
    expect(asked).toEqual([]);
    clock.advance(PING_MS);
    await expect.poll(() => asked.length).toBe(1);
    clock.advance(PING_MS - 1);
    asked.pop()?.writeHead(406).end();
    await expect.poll(() => clock.next).toBe(PING_MS);
  }
  expect(await Promise.race([line.ended, "open"])).toBe("open");
  clock.advance(PING_MS);
  clock.advance(PING_MS);
  await expect.poll(() => asked.length).toBe(1);
  clock.advance(PING_MS);
  expect(await line.ended).toEqual({ why: "the server does not answer any more", isGoodbye: false });
  expect(clock.timers).toBe(0);
});

test("I2: a request that fails at the server, and a session's stream that ends, end the connection", async () => {
  const prompt: AnyMessage = { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } };
  const failing = await met({ stream: silent, posted: (_, response) => void response.writeHead(502).end() });
  await failing.send(prompt);
  expect(await failing.ended).toEqual({ why: "the server failed: 502 Bad Gateway", isGoodbye: false });
  const stream = (response: ServerResponse, session?: string): void => {
    if (session !== undefined) response.end();
  };
  const ending = await met({ stream });
  const reader = ending.readable.getReader();
  const read = reader.read().then(() => reader.read());
  read.catch(() => undefined);
  await ending.send(prompt);
  expect(await ending.ended).toEqual({ why: "the server has closed the connection", isGoodbye: true });
  await expect(read).rejects.toThrow();
});

test("a message is on its way when its request has begun; the next one waits for it to be taken", async () => {
  const heard: unknown[] = [];
  const first = Promise.withResolvers<ServerResponse>();
  const posted = ({ method }: { [name: string]: unknown }, response: ServerResponse): void => {
    heard.push(method);
    if (method === "a") first.resolve(response);
    else response.writeHead(202).end();
  };
  const line = await met({ stream: silent, posted });
  await line.send({ jsonrpc: "2.0", method: "a" });
  const second = line.send({ jsonrpc: "2.0", method: "b" });
  const response = await first.promise;
  expect([heard, await Promise.race([second, "waits"])]).toEqual([["a"], "waits"]);
  response.writeHead(202).end();
  await second;
  await expect.poll(() => heard).toEqual(["a", "b"]);
});

test("I2, I3 of a line: the answer of session/load comes after what its session is sent; nothing that is too deep", async () => {
  let session: ServerResponse | undefined;
  let own: ServerResponse | undefined;
  const line = await met({
    stream: (response, id) => {
      if (id === undefined) own = response;
      else session = response;
    },
    posted: ({ id, method }, response) => {
      response.writeHead(202).end();
      if (method === "session/load") return void own?.write(event({ id, result: {} }));
      // Any agent answers what it does not know; what was said before goes before.
      session?.write(event({ method: "session/update", params: { sessionId: "s", n: 1 } }));
      session?.write(event({ method: "x", params: JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`) }));
      session?.write('data: {"jsonrpc":"2.0","method":"y","params":{"__proto__":{"a":1}}}\n\n');
      session?.write(event({ id, error: { code: -32601, message: "not found" } }));
    },
  });
  const reader = line.readable.getReader();
  const next = async (): Promise<unknown> => (await reader.read()).value;
  expect(await next()).toMatchObject({ id: 0 });
  await line.send({ jsonrpc: "2.0", id: 7, method: "session/load", params: { sessionId: "s" } });
  expect(await next()).toMatchObject({ method: "session/update", params: { n: 1 } });
  expect(JSON.stringify(await next())).toBe('{"jsonrpc":"2.0","method":"y","params":{}}');
  expect(await next()).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
});
