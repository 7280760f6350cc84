import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createMcpHandler, McpServer as Server } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { mcpTool } from "../../../actors/operations/mcp.ts";
import { SCOPE_VARIABLE } from "../../../actors/process/marker.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { callWith } from "./support.ts";

const ECHO = fileURLToPath(new URL("../../support/model-server/mcp-echo.mjs", import.meta.url));
const stdio = (over: Partial<Extract<McpServer, { transport: "stdio" }>> = {}): McpServer => ({
  name: "stub",
  transport: "stdio",
  command: process.execPath,
  args: [ECHO],
  env: { MCP_MARK: "m1" },
  ...over,
});

/** A server of the official package behind a real socket. */
async function remote(): Promise<{ server: McpServer; headers: string[]; bodies: string[] }> {
  const headers: string[] = [];
  const bodies: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "sums", version: "1.0.0" });
    const inputSchema = z.object({ a: z.number(), b: z.number() });
    const outputSchema = z.object({ sum: z.number() });
    server.registerTool("add", { inputSchema, outputSchema }, ({ a, b }) => ({
      content: [{ type: "text", text: `${a + b}` }],
      structuredContent: { sum: a + b },
    }));
    server.registerTool("fail", {}, () => ({ isError: true, content: [{ type: "text", text: "it broke" }] }));
    server.registerTool("json", {}, () => ({ content: [{ type: "text", text: '{"deep":{"a":1}}' }] }));
    return server;
  });
  const http = createServer(async (request, response) => {
    headers.push(String(request.headers.authorization));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? "GET",
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { server: { name: "sums", transport: "http", url, headers: { Authorization: "Bearer k" } }, headers, bodies };
}

describe("a tool of an MCP server over stdio", () => {
  it("is called with the inputs; the server has its environment and nothing of ours, and is gone afterwards", async () => {
    const call = callWith({ note: "n1" });
    expect(await mcpTool(stdio(), "ping")(call)).toEqual({
      ok: true,
      outputs: { text: "pong from mcp (n1) env=m1" },
      told: "pong from mcp (n1) env=m1",
      text: "pong from mcp (n1) env=m1",
    });
    expect(scanProcesses(null).filter(({ scope }) => scope === call.marker[SCOPE_VARIABLE])).toEqual([]);
  });

  it("that is not there is named, with what was meant", async () => {
    await expect(mcpTool(stdio(), "pings")(callWith({}))).rejects.toMatchObject({
      code: "USER.OPERATION.UNKNOWN",
      message: 'the MCP server "stub" has no tool "pings"; did you mean "ping"? It has: ping',
    });
  });

  it("beside one in no form of MCP is called; that one is named, with what is wrong", async () => {
    const server = stdio({ env: { MCP_MORE: '[{"name":"odd","inputSchema":[]}]' } });
    expect(await mcpTool(server, "ping")(callWith({ note: "n" }))).toMatchObject({ ok: true });
    expect(await mcpTool(server, "odd")(callWith({}))).toEqual({
      ok: false,
      message:
        "stub.odd: the server tells this tool in no form of MCP: inputSchema: Invalid input: expected object, " +
        "received array; it is for the server's maker to mend",
    });
  });

  it("whose server ends in the middle says how, and its last words", async () => {
    const server = stdio({ env: { MCP_DIES: "no memory is left" } });
    expect(await mcpTool(server, "ping")(callWith({}))).toMatchObject({
      ok: false,
      message: "stub.ping: it has ended (exit code 3); it said: no memory is left",
    });
  });

  it("whose server ends before it has said what tools it has says how", async () => {
    const script = `require("readline").createInterface({input: process.stdin}).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
      if (method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method === "tools/list") { console.error("no disk"); process.exit(5); }
    })`;
    expect(await mcpTool(stdio({ args: ["-e", script] }), "ping")(callWith({}))).toMatchObject({
      ok: false,
      message: 'the MCP server "stub" does not say what tools it has: it has ended (exit code 5); it said: no disk',
    });
  });

  it("whose server does not speak MCP says in one line what is wrong", async () => {
    const script = `process.stdin.once("data", () => console.log('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}'))`;
    const end = await mcpTool(stdio({ args: ["-e", script] }), "ping")(callWith({}));
    const why =
      "Invalid result for initialize: capabilities: Invalid input: expected object, received undefined, and 1 more";
    expect(end).toMatchObject({ ok: false, message: `the MCP server "stub" cannot be used: ${why}` });
  });

  it("that is like none of them: all are named", async () => {
    const message = 'the MCP server "stub" has no tool "summarize". It has: ping';
    await expect(mcpTool(stdio(), "summarize")(callWith({}))).rejects.toMatchObject({ message });
  });

  it.each([
    [stdio({ command: "/nowhere/server" }), 'cannot start "/nowhere/server"'],
    [
      stdio({ args: ["-e", "console.error('no key'); process.exit(3)"] }),
      "it has ended (exit code 3); it said: no key",
    ],
  ])("cannot be called where the server does not run", async (server, message) => {
    const end = await mcpTool(server, "ping")(callWith({}));
    expect(end).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });
});

describe("a tool of an MCP server over HTTP", () => {
  it("that nobody listens for says why", async () => {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const at = `127.0.0.1:${(http.address() as AddressInfo).port}`;
    await new Promise((resolve) => http.close(resolve));
    const server: McpServer = { name: "sums", transport: "http", url: `http://${at}/mcp`, headers: {} };
    const end = await mcpTool(server, "add")(callWith({}));
    expect(end).toMatchObject({ ok: false, message: expect.stringContaining(`connect ECONNREFUSED ${at}`) });
  });

  it("gives its structured content, and the server gets its headers", async () => {
    const { server, headers } = await remote();
    expect(await mcpTool(server, "add")(callWith({ a: 2, b: 3 }))).toMatchObject({
      ok: true,
      outputs: { sum: 5 },
      text: "5",
    });
    expect(new Set(headers)).toEqual(new Set(["Bearer k"]));
  });

  it("is told the span of its step where there is one, as MCP has it", async () => {
    const { server, bodies } = await remote();
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    await mcpTool(server, "json")(callWith({}));
    expect(bodies.join("")).not.toContain("traceparent");
    await mcpTool(server, "json")(callWith({}, { traceparent }));
    const calls = bodies.filter((body) => body.includes("tools/call"));
    expect(JSON.parse(calls.at(-1) ?? "{}")).toMatchObject({ params: { _meta: { traceparent } } });
  });

  it("gives the object that its text is", async () => {
    const { server } = await remote();
    expect((await mcpTool(server, "json")(callWith({}))).outputs).toEqual({ deep: { a: 1 } });
  });

  it("fails where the tool says so", async () => {
    const { server } = await remote();
    expect(await mcpTool(server, "fail")(callWith({}))).toMatchObject({ ok: false, message: "sums.fail: it broke" });
  });
});
