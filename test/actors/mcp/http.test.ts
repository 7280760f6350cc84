/** Servers over HTTP that break off, or say too much: I1 of `actors/mcp/http.ts` and of `actors/mcp/limited-fetch.ts`. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { withServer } from "../../../actors/mcp/connect.ts";
import { MAX_MESSAGE, TOO_LONG } from "../../../actors/mcp/limited-fetch.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Calls a tool of a server that answers the call by this; says what came of it. */
async function calls(answers: (response: ServerResponse, answer: (text: string) => string) => void): Promise<string> {
  const own = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      const whole = (rest: object) => JSON.stringify({ jsonrpc: "2.0", id, ...rest });
      if (method === "tools/call")
        return answers(response, (text) => whole({ result: { content: [{ type: "text", text }] } }));
      response.setHeader("content-type", "application/json");
      const about = { capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
      if (method !== "initialize") return void response.end(whole({ error: { code: -32_601, message: "unknown" } }));
      response.end(whole({ result: { protocolVersion: params.protocolVersion, ...about } }));
    });
  });
  server = own;
  await new Promise<void>((listening) => own.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/mcp`;
  const { signal } = new AbortController();
  return withServer(
    { name: "s", transport: "http", url, headers: {} },
    { cwd: "/", environment: {}, marker: {}, signal },
    async (client) => JSON.stringify((await client.callTool({ name: "t", arguments: {} }, { signal })).content),
  ).catch((error: Error) => `failed: ${error.message}`);
}
const events = (response: ServerResponse): ServerResponse => {
  response.setHeader("content-type", "text/event-stream");
  response.flushHeaders();
  return response;
};
const ENDED = /^failed: .*the connection to the server ended before its answer was whole/;

it("fails when the stream ends without an answer, or breaks off", async () => {
  expect(await calls((response) => events(response).end(": wait\n\n"))).toMatch(ENDED);
  server?.close();
  expect(await calls((response) => events(response).write(": wait\n\n", () => response.destroy()))).toMatch(ENDED);
});

it.each(['{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}', '{"jsonrpc":"2.0","id":1,"result":"fine"}', "{"])(
  "fails when a stream that stays open brings %s (I2)",
  async (data) => {
    const said = await calls((response) => void events(response).write(`data: ${data}\n\n`));
    expect(said).toMatch(/^failed: .*the server's answer is none of the protocol's/);
  },
);

it("hears an answer that comes before the end of its stream", async () => {
  const said = await calls((response, answer) => events(response).end(`event: message\ndata: ${answer("hello")}\n\n`));
  expect(said).toContain('"hello"');
});

it("does not read an answer that is too long, in a stream or whole", async () => {
  const long = "x".repeat(MAX_MESSAGE);
  expect(await calls((response, answer) => events(response).end(`data: ${answer(long)}\n\n`))).toMatch(ENDED);
  server?.close();
  const whole = await calls((response, answer) => {
    response.setHeader("content-type", "application/json");
    response.end(answer(long));
  });
  expect(whole).toContain(TOO_LONG);
});

it.each(["\n", "\r\n"])("counts each event of a stream for itself, whose lines end with %j", async (end) => {
  const said = await calls((response, answer) => {
    events(response);
    const comment = `: ${"x".repeat(MAX_MESSAGE / 4)}${end}${end}`;
    for (let at = 0; at < 8; at++) response.write(comment);
    response.end(`data: ${answer("hello")}${end}${end}`);
  });
  expect(said).toContain('"hello"');
});
it("counts all lines of one event", async () => {
  const said = await calls((response, answer) => {
    events(response);
    for (let at = 0; at < 8; at++) response.write(`: ${"x".repeat(MAX_MESSAGE / 4)}\n`);
    response.end(`data: ${answer("hello")}\n\n`);
  });
  expect(said).toMatch(ENDED);
});
