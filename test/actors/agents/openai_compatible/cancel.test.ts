/** A cancel, while the model speaks, while a tool works, and before the start (I3). */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { openaiCompatible } from "../../../../actors/agents/openai_compatible/openai_compatible.ts";
import { request } from "../understudy/support.ts";
import { clock, folder, memory, play, STUB, saying, serving } from "./stage.ts";

const CUT = { status: "failed", class: "cut", message: "The agent was stopped." };

describe("a cancel (I3)", () => {
  it("while it speaks ends the request", async () => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const http = await serving((_, response) => {
      response.on("close", leave);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(saying("Hello", null));
    });
    const controller = new AbortController();
    const agent = openaiCompatible(clock, () => "chat-1");
    const stop = (event: AgentEvent) => (event.type === "text" ? controller.abort() : undefined);
    const given = request({ cwd: folder, env: http.env, memory, options: { model: "m" } });
    const result = await agent(given, stop, controller.signal);
    await gone;
    http.close();
    expect(result).toMatchObject(CUT);
  });

  it("while a tool works ends the tool's server, and the conversation can continue", async () => {
    const slow = join(folder, "slow.mjs");
    writeFileSync(slow, SLOW_SERVER);
    const controller = new AbortController();
    const mcpServers = [{ ...STUB, args: [slow], env: { STARTED: join(folder, "started") } }];
    const ask = async () => {
      setImmediate(() => controller.abort());
      return { allowed: true } as const;
    };
    const { result } = await play({ prompt: "[[call:wait {}]] go", mcpServers, ask }, controller.signal);
    expect(result).toMatchObject({ ...CUT, usage: { inputTokens: expect.any(Number) } });
    expect(existsSync(join(folder, "ended"))).toBe(false);
    const second = await play({ prompt: "and now", conversation: "chat-1", attempt: 2 });
    expect(second.result.status).toBe("completed");
  });

  it("before the start asks no one", async () => {
    const controller = new AbortController();
    controller.abort();
    const { heard, result } = await play({}, controller.signal);
    expect([heard, result.status]).toEqual([[], "failed"]);
  });
});

/** An MCP server whose one tool never ends. */
const SLOW_SERVER = `import { createInterface } from "node:readline";
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "slow", version: "1" } });
  if (method === "tools/list") answer(id, { tools: [{ name: "wait", inputSchema: { type: "object" } }] });
});
setInterval(() => {}, 1000);
`;
