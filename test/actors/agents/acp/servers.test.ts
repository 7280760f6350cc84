/** MCP servers that an ACP agent is given, and what of them it may use. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Launch } from "../../../../actors/agents/agent.ts";
import { TroupeError } from "../../../../actors/errors/troupe-error.ts";
import { withServer } from "../../../../actors/mcp/connect.ts";
import type { McpServer } from "../../../../machines/mcp/server.ts";
import { mcpOver } from "../../../support/mcp-over-http.ts";
import { place, said } from "./support.ts";

const stdio = (name: string, env = {}): McpServer => ({ name, transport: "stdio", command: "node", args: ["x"], env });
const names = (heard: readonly { type: string }[]) =>
  (JSON.parse(said(heard).join("")) as { name: string }[]).map(({ name }) => name);

it("MCP servers are those that the agent's configuration names and that it can reach", async () => {
  const { turn, heard } = place({ mcpServers: ["a", "far"], mcp: { deny: [], ask: [], secrets: ["a"] } });
  const far: McpServer = { name: "far", transport: "http", url: "http://127.0.0.1:1/", headers: {} };
  await turn("servers", { mcpServers: [stdio("a", { K: "v" }), stdio("b"), far] });
  expect(JSON.parse(said(heard).join(""))).toEqual([
    { name: "a", command: expect.stringMatching(/^\/.*node$/), args: ["x"], env: [{ name: "K", value: "v" }] },
  ]);
  expect(heard).toContainEqual(
    expect.objectContaining({ type: "notice", message: 'the agent cannot reach the MCP server "far" (http)' }),
  );
});

it("what is denied is never passed on, what is asked about and what * alone names only after a yes (H40)", async () => {
  const mcp = { deny: ["bad"], ask: ["web"], secrets: [] };
  const given = ["good", "bad", "web", "other"].map((name) => stdio(name));
  const asking = (...mcpServers: string[]) => {
    const at = place({ mcpServers, mcp });
    return async (yes: boolean) => {
      const asked: unknown[] = [];
      const approve = async ({ what, shown }: Launch): Promise<void> => {
        if (what === "start") return;
        asked.push(
          ...(shown["MCP servers"] as { name: string; from: string }[]).map(({ name, from }) => `${name} ${from}`),
        );
        if (!yes) throw new TroupeError("USER.AGENT.CONSENT_REFUSED", "no");
      };
      await at.turn("servers", {
        mcpServers: given,
        serverSources: { web: "the workflow", other: "the editor" },
        approve,
      });
      return { asked, has: names(at.heard), told: at.heard.some(({ type }) => type === "notice") };
    };
  };
  const named = asking("good", "bad", "web");
  expect(await named(true)).toEqual({ asked: ["web the workflow"], has: ["good", "web"], told: false });
  expect(await named(false)).toEqual({ asked: ["web the workflow"], has: ["good"], told: true });
  const all = asking("good", "*");
  const asked = ["web the workflow", "other the editor"];
  expect(await all(true)).toEqual({ asked, has: ["good", "web", "other"], told: false });
  expect(await all(false)).toEqual({ asked, has: ["good"], told: true });
});

it("a server's credentials stay with us: the agent has a way to it, as long as its process lives (H43)", async () => {
  const { turn, heard, cwd, pool, running } = place({ mcpServers: ["tickets"] });
  const tool = fileURLToPath(new URL("../../../support/model-server/mcp-echo.mjs", import.meta.url));
  const tickets: McpServer = {
    ...{ name: "tickets", transport: "stdio", command: process.execPath, args: [tool] },
    env: { MCP_MARK: "canary-4fe19c" },
  };
  await turn("servers", { mcpServers: [tickets] });
  expect(said(heard).join("")).not.toContain("canary");
  // A connection of the agent's ends with its server's process, and nothing else does.
  const used = { mcpServers: [tickets] };
  const { status } = await turn("tool tickets\ntool tickets\nsay still here", used);
  expect([status, said(heard).join(" ")]).toEqual(["completed", expect.stringMatching(/pong.* pong.* still here/)]);
  await turn("servers", used);
  const [handed] = JSON.parse(said(heard).join("")) as {
    command: string;
    args: string[];
    env: { name: string; value: string }[];
  }[];
  const way: McpServer = {
    ...{ name: "tickets", transport: "stdio", command: handed?.command ?? "", args: handed?.args ?? [] },
    env: Object.fromEntries((handed?.env ?? []).map(({ name, value }) => [name, value])),
  };
  const at = { cwd, environment: process.env, marker: {}, signal: new AbortController().signal };
  const reached = (server: McpServer): Promise<unknown> =>
    withServer(server, at, async (client) => (await client.callTool({ name: "ping", arguments: {} })).content);
  // It is the server itself, and it has its credentials.
  expect(await reached(way)).toEqual([{ type: "text", text: "pong from mcp () env=canary-4fe19c" }]);
  const wrong = { ...way, env: { ...way.env, TROUPE_TOOLS_TOKEN: "0".repeat(64) } } as McpServer;
  await expect(reached(wrong)).rejects.toThrow("cannot be used");
  await pool.close();
  expect(running()).toBe(0);
  await expect(reached(way)).rejects.toThrow("cannot be used");
});

it("a server over HTTP is reached by the same way, with its headers, which the agent does not have (H43)", async () => {
  const far = await mcpOver("canary-51d7aa");
  const { turn, heard, pool } = place({ mcpServers: ["docs"] });
  const headers = { Authorization: "Bearer canary-51d7aa" };
  await turn("servers", { mcpServers: [{ name: "docs", transport: "http", url: far.url, headers }] });
  const handed = said(heard).join("");
  expect(handed).not.toMatch(/canary|http:/);
  await turn("tool docs\ntool docs", { mcpServers: [{ name: "docs", transport: "http", url: far.url, headers }] });
  expect(said(heard).at(-1)).toContain("pong over http as Bearer canary-51d7aa");
  expect(far.methods.slice(0, 3)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
  await pool.close();
});
