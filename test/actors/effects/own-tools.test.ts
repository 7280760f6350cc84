import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent, AgentEvent, AgentRequest } from "../../../actors/agents/agent.ts";
import { parseConfig } from "../../../actors/config/config.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { ToolCallMerger } from "../../../actors/effects/own-tools.ts";
import { work } from "../../../actors/effects/work.ts";
import type { WorkContext } from "../../../actors/host/host.ts";
import { withServer } from "../../../actors/mcp/connect.ts";
import type { PermissionQuestion, PermissionSettled } from "../../../machines/contracts.ts";
import type { ToolFields } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { agentNode, ORIGIN, optionsFor, scopeIn, workspace } from "./support.ts";

type Called = { name: string; args?: { [name: string]: Json }; reported?: boolean };

/** An agent that starts its MCP servers as a program would, calls tools of ours, and tells of it in its own way. */
function caller(calls: readonly Called[]) {
  const seen: { tools: string[]; request: AgentRequest | null; said: string[] } = {
    tools: [],
    request: null,
    said: [],
  };
  const agent: Agent = async (request, emit, signal) => {
    seen.request = request;
    const own = request.mcpServers.find(({ name }) => name === "troupe");
    if (own === undefined) throw new Error("no tools");
    const place = { cwd: request.cwd, environment: process.env, marker: request.marker, signal };
    await withServer(own, place, async (client) => {
      seen.tools = (await client.listTools()).tools.map(({ name }) => name);
      for (const [index, { name, args = {}, reported = true }] of calls.entries()) {
        const call = `c${index}`;
        if (reported) emit({ type: "tool", tool: { call, title: `mcp__troupe__${name}`, status: "pending" } });
        const { content } = await client.callTool({ name, arguments: args });
        seen.said.push(content.map((one) => (one.type === "text" ? one.text : "")).join(""));
        if (reported) emit({ type: "tool", tool: { call, title: `troupe: ${name}`, status: "completed" } });
      }
    });
    return { status: "completed", text: "done", usage: null };
  };
  return { seen, agents: { fake: async () => agent } };
}

type Answer = (question: PermissionQuestion) => PermissionSettled;
/** No one can be asked: what the rules do not decide is a no. */
const NO_ANSWER: Answer = ({ gate }) =>
  gate?.policy === "allow" ? { outcome: "selected", option: "allow_once" } : { outcome: "cancelled" };

async function run(
  proxy: Json,
  calls: readonly Called[],
  over: Partial<EffectOptions> = {},
  files = {},
  answer: Answer = NO_ANSWER,
) {
  const cwd = workspace(files);
  const { seen, agents } = caller(calls);
  const recording = recordingContext();
  const ask: WorkContext["ask"] = async (question) => answer(question);
  const node = agentNode("Hi", { mcpProxy: proxy });
  const input = { origin: ORIGIN, node, scope: scopeIn(cwd), attempt: 1, conversation: null, said: null };
  const { outcome } = await work(optionsFor({ agents, ...over }))(input, { ...recording.context, ask });
  const tools = recording.rows.filter(({ type }) => type.startsWith("tool."));
  return { cwd, seen, outcome, tools };
}
const config = (yaml: string) => {
  const { config } = parseConfig(yaml, "/c", {});
  if (config === null) throw new Error("bad configuration");
  return () => config;
};
const ALLOWED = { config: config("permissions: {default: allow}") };

describe("mcp_proxy", () => {
  it("serves the built-in tools in place of the agent's own; each call is one exchange (I1)", async () => {
    const { seen, tools, outcome, cwd } = await run(
      { enable: true },
      [
        { name: "Read", args: { path: "a.txt" } },
        { name: "Write", args: { path: "b.txt", content: "x" } },
      ],
      ALLOWED,
      { "a.txt": "hello" },
    );
    expect(outcome).toEqual({ status: "completed", exitCode: 0 });
    expect(seen.tools).toEqual(["Read", "Write", "Edit", "Bash", "Glob", "Grep"]);
    expect(seen.request?.ownTools).toBe("replaced");
    expect(tools.map(({ type, payload }) => [type, (payload as { title?: string }).title])).toEqual([
      ["tool.call", "Read a.txt"],
      ["tool.result", undefined],
      ["tool.call", "Write b.txt"],
      ["tool.result", undefined],
    ]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(true);
  });

  it("gives an agent without a program the tools as they are: no server, asked about once, one exchange (I1)", async () => {
    const seen: { request: AgentRequest | null; said: string[] } = { request: null, said: [] };
    const agent: Agent = async (request, emit, signal) => {
      seen.request = request;
      const calls: [string, Json][] = [
        ["Read", { path: "a.txt" }],
        ["Write", { path: "b.txt", content: "x" }],
      ];
      for (const [name, args] of calls) {
        emit({ type: "tool", tool: { call: `id-${name}`, title: name, kind: "other", status: "pending" } });
        seen.said.push((await request.toolbox?.call(name, args, signal, `id-${name}`))?.text ?? "");
      }
      return { status: "completed", text: "done", usage: null };
    };
    const asked: string[] = [];
    const agents = { fake: async () => Object.assign(agent, { calls: "tools" as const }) };
    const { tools, cwd } = await run({ enable: true }, [], { agents }, { "a.txt": "hello" }, ({ gate }) => {
      asked.push(gate?.tool ?? "");
      return { outcome: "selected", option: "allow_once" };
    });
    expect(seen.request?.mcpServers).toEqual([]);
    expect(seen.request?.ownTools).toBe("replaced");
    expect(seen.said).toEqual(["1\thello", "b.txt was written"]);
    expect(asked).toEqual(["Read", "Write"]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(true);
    const told = tools.map(({ type, payload }) => {
      const { call, title } = payload as ToolFields;
      return [type, call, title];
    });
    const [read, write] = ["Read", "Write"].map((name) => `${ORIGIN.step}@1.id-${name}`);
    expect(told).toEqual([
      ["tool.call", read, "Read"],
      ["tool.update", read, "Read a.txt"],
      ["tool.result", read, undefined],
      ["tool.call", write, "Write"],
      ["tool.update", write, "Write b.txt"],
      ["tool.result", write, undefined],
    ]);
  });

  it("asks about what may change something, and not about what only reads in the workspace", async () => {
    const calls = [
      { name: "Read", args: { path: "a.txt" } },
      { name: "Bash", args: { command: "touch ran" } },
    ];
    const { seen, cwd } = await run({ enable: true }, calls, {}, { "a.txt": "hello" });
    expect(seen.said[0]).toBe("1\thello");
    expect(seen.said[1]).toContain("The question whether Bash may be used here had no answer");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("keeps to the user's rules for reading too", async () => {
    const over = { config: config("permissions: {deny: [{path: 'secret/**'}]}") };
    const calls = [{ name: "Read", args: { path: "secret/a.txt" } }];
    const { seen } = await run({ enable: true }, calls, over, { "secret/a.txt": "canary" });
    expect(seen.said[0]).not.toContain("canary");
  });

  it("serves operations and tools of MCP servers that are exposed, and no others", async () => {
    const echo = new URL("../../support/model-server/mcp-echo.mjs", import.meta.url).pathname;
    const servers = `{stub: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(echo)}]}}`;
    const over = { config: config(`{permissions: {default: allow}, mcp_servers: ${servers}}`) };
    const proxy = {
      enable: true,
      intercept_builtins: false,
      plugin_tools: [
        { plugin: "notify", expose: ["send"] },
        { plugin: "stub", expose: ["ping"] },
      ],
    };
    const { seen } = await run(proxy, [{ name: "stub_ping", args: { note: "n" } }], over);
    expect(seen.tools).toEqual(["notify_send", "stub_ping"]);
    expect(seen.request?.ownTools).toBe("kept");
    expect(seen.said).toEqual(["pong from mcp (n) env="]);
  });

  it("matches no pattern of a server: its words are for the model, and the server checks what it gets (T22)", async () => {
    const echo = new URL("../../support/model-server/mcp-echo.mjs", import.meta.url).pathname;
    const stub = { command: process.execPath, args: [echo], env: { MCP_PATTERN: "^(a+)+$" } };
    const over = { config: config(JSON.stringify({ permissions: { default: "allow" }, mcp_servers: { stub } })) };
    const proxy = { enable: true, intercept_builtins: false, plugin_tools: [{ plugin: "stub", expose: ["ping"] }] };
    const note = `${"a".repeat(40)}!`;
    const { seen } = await run(proxy, [{ name: "stub_ping", args: { note } }], over);
    expect(seen.said).toEqual([`pong from mcp (${note}) env=`]);
  });

  it.each([
    [{ plugin: "k8s", expose: [] }, "USER.MCP_PROXY.UNKNOWN_PLUGIN"],
    [{ plugin: "http", expose: ["requst"] }, "USER.MCP_PROXY.UNKNOWN_OPERATION"],
  ])("names what is not there: %j", async (tool, code) => {
    const { outcome } = await run({ enable: true, plugin_tools: [tool] }, []);
    expect(outcome.error).toMatchObject({ code });
  });

  it("leaves no way to the tools behind (I2)", async () => {
    const { seen } = await run({ enable: true }, []);
    const server = seen.request?.mcpServers.find(({ name }) => name === "troupe");
    expect(existsSync(server?.transport === "stdio" ? (server.env["TROUPE_TOOLS_SOCKET"] ?? "/") : "/")).toBe(false);
  });
});

describe("what two tell of the same call", () => {
  const setUp = () => {
    const heard: AgentEvent[] = [];
    const told = new ToolCallMerger((event) => heard.push(event));
    told.names = ["Read", "stub_ping"];
    return { told, heard };
  };
  const ours: AgentEvent = { type: "tool", tool: { call: "troupe-1", title: "Read a", status: "in_progress" } };
  const theirs = (title: string, status: "pending" | "completed" | "failed"): AgentEvent => ({
    type: "tool",
    tool: { call: "x", title, status },
  });

  it.each([
    "mcp__troupe__Read",
    "troupe: Read",
    "troupe.Read",
    "mcp.troupe.Read",
    "troupe_Read",
    "mcp_troupe_Read",
    "troupe-Read",
    "troupe/Read",
    "Read (troupe MCP Server)",
  ])("is reported once where the agent calls it %s", (title) => {
    const { told, heard } = setUp();
    told.theirs(theirs(title, "pending"));
    told.ours(ours);
    told.theirs({ type: "tool output", call: "x", text: "…" });
    told.theirs(theirs(title, "completed"));
    expect(heard).toEqual([ours]);
  });

  it("is reported by the agent where the call never came to us", () => {
    const { told, heard } = setUp();
    const events = [theirs("mcp__troupe__Read", "pending"), theirs("mcp__troupe__Read", "failed")];
    for (const event of events) told.theirs(event);
    expect(heard).toEqual(events);
  });

  it.each(["Read", "mcp__other__Read", "Read troupe/notes.md and then some more of it", "cat troupe"])(
    "is not confused with %s",
    (title) => {
      const { told, heard } = setUp();
      told.theirs(theirs(title, "pending"));
      expect(heard).toHaveLength(1);
    },
  );
});
