import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { withServer } from "../../../actors/mcp/connect.ts";
import { relayed } from "../../../actors/mcp/relay.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";

type Request = { id?: number; method: string };

/** A server of MCP over HTTP of which one call is answered by a gateway on the way. */
async function flaky(): Promise<string> {
  let calls = 0;
  const resultOf = ({ method }: Request): object =>
    method === "initialize"
      ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "far", version: "1" } }
      : { content: [{ type: "text", text: `call ${calls}` }] };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse((await request.toArray()).join("")) as Request;
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === "tools/call" && ++calls === 1)
      return void response.writeHead(502).end("canary-of-a-gateway");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

it("a request that a server over HTTP did not take fails, and the next one is carried (I3)", async () => {
  const far: McpServer = { name: "docs", transport: "http", url: await flaky(), headers: { A: "canary-1" } };
  const place = { cwd: "/", environment: process.env, marker: {} };
  const way = await relayed(far, place);
  onTestFinished(() => way.close());
  await withServer(way.server, { ...place, signal: new AbortController().signal }, async (client) => {
    const call = () => client.callTool({ name: "any", arguments: {} });
    await expect(call()).rejects.toThrow('the MCP server "docs" did not take the request');
    expect((await call()).content).toEqual([{ type: "text", text: "call 2" }]);
  });
});
