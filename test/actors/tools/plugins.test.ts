/** Tools of MCP servers as ours: servers that cannot be asked for them, and what they say of a tool's input. */
import { expect, onTestFinished, test, vi } from "vitest";
import { OPERATIONS } from "../../../actors/operations/registry.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor, SCOPE_VARIABLE } from "../../../actors/process/marker.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import { pluginTools } from "../../../actors/tools/plugins.ts";
import type { McpServer } from "../../../machines/mcp/server.ts";

/** What it does when it is asked for its tools. */
const serving = (asked: string): McpServer => ({
  ...{ name: "stub", transport: "stdio", command: process.execPath, env: {} },
  args: [
    "-e",
    `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      const { protocolVersion } = params ?? {};
      if (method === "initialize")
        answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "stub", version: "1" } });
      if (method === "tools/list") { ${asked} }
    });`,
  ],
});
const HANGS = serving("");
const DIES = serving('process.stderr.write("out of luck"); process.exit(3);');
const offering = (inputSchema: object): McpServer =>
  serving(`answer({ tools: [{ name: "look", description: "Looks.", inputSchema: ${JSON.stringify(inputSchema)} }] });`);

let scopes = 0;
function asking(servers: readonly McpServer[], plugins = ["stub"]) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const marker = markerFor(ownIdentity(), `plugins/${process.pid}/${++scopes}`);
  const call = { cwd: "/", environment: process.env, signal: stop.signal, marker: () => marker };
  const warned: string[] = [];
  const warn = (message: string) => void warned.push(message);
  const wanted = plugins.map((plugin) => ({ plugin, expose: [] }));
  const tools = pluginTools(wanted, { operations: OPERATIONS, servers, where: "states.a.mcp_proxy", warn, call });
  const running = () => scanProcesses(null).filter(({ scope }) => scope === marker[SCOPE_VARIABLE]).length;
  return { stop, tools, running, warned };
}

test.each<[string, McpServer, RegExp]>([
  ["cannot be started", { ...HANGS, command: "/no/such/program" } as McpServer, /"stub" cannot be used: cannot start/],
  ["dies when it is asked", DIES, /"stub" does not say what tools it has: it has ended \(exit code 3\); .*out of luck/],
])("a server that %s is named", async (_, server, message) => {
  const { tools } = asking([server]);
  await expect(tools).rejects.toMatchObject({
    code: "EXECUTION.OPERATION.FAILED",
    message: expect.stringMatching(new RegExp(`^states.a.mcp_proxy.plugin_tools: .*${message.source}`)),
  });
});

test("a cancel ends the wait for a server that does not answer, and its process", async () => {
  const { stop, tools, running } = asking([HANGS]);
  void vi.waitFor(() => expect(running()).toBe(1), { timeout: 60_000 }).then(() => stop.abort());
  await expect(tools).rejects.toMatchObject({ code: "EXECUTION.OPERATION.FAILED" });
  expect(running()).toBe(0);
});

test("a merge of worktrees is no tool: it is done by its step", async () => {
  await expect(asking([], ["worktree"]).tools).rejects.toMatchObject({ code: "USER.MCP_PROXY.UNKNOWN_PLUGIN" });
});

test("where one plugin is not there, the other's process has gone too, and the fault is the first one's", async () => {
  const { tools, running } = asking([HANGS], ["stub", "none"]);
  await expect(tools).rejects.toMatchObject({ code: "USER.MCP_PROXY.UNKNOWN_PLUGIN" });
  expect(running()).toBe(0);
});

test.each([
  { properties: { a: { type: "string" } }, if: { properties: { a: { const: "x" } } }, else: { required: ["b"] } },
  { properties: { a: { $ref: "#/properties/b" }, b: { type: "string" } } },
  { properties: { a: { not: { type: "string" } } }, dependentRequired: { a: ["b"] } },
])("an input that is described by more than we read is told in words, and taken as it comes: %j", async (more) => {
  const schema = { type: "object", ...more };
  const { tools } = asking([offering(schema)]);
  const [tool] = await tools;
  expect(tool?.description).toBe(`Looks.\n\nIts input must fit this JSON Schema: ${JSON.stringify(schema)}`);
  expect(tool?.input.safeParse({ a: "x" })).toEqual({ success: true, data: { a: "x" } });
});

test("an input that is described plainly is checked", async () => {
  const { tools } = asking([offering({ type: "object", properties: { a: { type: "string" } } })]);
  const [tool] = await tools;
  expect(tool?.description).toBe("Looks.");
  expect(tool?.input.safeParse({ a: 1 }).success).toBe(false);
});

test("a tool in no form of MCP is left out, with words; the others are served", async () => {
  const list = [{ name: "odd" }, { name: "look", inputSchema: { type: "object" } }];
  const { tools, warned } = asking([serving(`answer({ tools: ${JSON.stringify(list)} });`)]);
  expect((await tools).map(({ name }) => name)).toEqual(["stub_look"]);
  expect(warned).toEqual([
    expect.stringMatching(/^the MCP server "stub" tells tools in no form .*: odd \(inputSchema: /),
  ]);
});
