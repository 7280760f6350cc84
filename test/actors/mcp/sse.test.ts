/** A server over the older transport of HTTP whose stream breaks off: I1 of `actors/mcp/sse.ts`. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { withServer } from "../../../actors/mcp/connect.ts";

it("fails a call whose stream breaks off, and hears the answer of one that does not", async () => {
  let stream: ServerResponse | undefined;
  const say = (id: number, rest: object) =>
    stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n\n`);
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages\n\n");
      stream = response;
      return;
    }
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      response.writeHead(202).end();
      const { id, method, params } = JSON.parse(body);
      const about = { capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
      if (id === undefined) return;
      if (method === "initialize") say(id, { result: { protocolVersion: params.protocolVersion, ...about } });
      else if (method !== "tools/call") say(id, { error: { code: -32_601, message: "unknown" } });
      else if (params.name === "hello") say(id, { result: { content: [{ type: "text", text: "hello" }] } });
      else stream?.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const { signal } = new AbortController();
  const call = (name: string) =>
    withServer(
      { name: "s", transport: "sse", url, headers: {} },
      { cwd: "/", environment: {}, marker: {}, signal },
      async (client) => (await client.callTool({ name, arguments: {} }, { signal })).content,
    );
  try {
    expect(await call("hello")).toEqual([{ type: "text", text: "hello" }]);
    await expect(call("gone")).rejects.toThrow("the stream of the server's answers broke off");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
