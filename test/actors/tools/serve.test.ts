import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SOCKET_VARIABLE, TOKEN_VARIABLE } from "../../../actors/mcp/bridge/words.ts";
import { withServer } from "../../../actors/mcp/connect.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { serveTools } from "../../../actors/tools/serve.ts";
import { toolbox } from "./support.ts";

async function served(files = {}) {
  const box = toolbox(files);
  const { server, close } = await serveTools(box.box);
  onTestFinished(close);
  if (server.transport !== "stdio") throw new Error("no process");
  const place = {
    cwd: box.cwd,
    environment: process.env,
    marker: markerFor(ownIdentity(), `serve/${process.pid}/${box.root}`),
    signal: new AbortController().signal,
  };
  return {
    ...box,
    server,
    close,
    place,
    path: server.env[SOCKET_VARIABLE] ?? "",
    token: server.env[TOKEN_VARIABLE] ?? "",
  };
}

/** What comes back of a connection that says this, until it is closed. */
const answerTo = (path: string, said: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = "";
    const socket = connect(path, () => socket.write(said));
    socket.on("data", (chunk) => {
      heard += chunk;
      socket.end();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
const HELLO = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
})}\n`;

describe("Troupe's MCP server", () => {
  it("gives an MCP client the tools, by a process of its own", async () => {
    const { server, place, heard } = await served({ "a.txt": "hello\n" });
    await withServer(server, place, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["Read", "Write", "Edit", "Bash", "Glob", "Grep"]);
      expect(tools[0]).toMatchObject({
        inputSchema: { type: "object", required: ["path"], properties: { offset: { type: "integer" } } },
        annotations: { readOnlyHint: true },
      });
      const call = (name: string, args: { [name: string]: unknown }) => client.callTool({ name, arguments: args });
      expect(await call("Read", { path: "a.txt" })).toMatchObject({ content: [{ type: "text", text: "1\thello" }] });
      expect(await call("Read", { pat: "a.txt" })).toMatchObject({ isError: true });
      expect(await call("Bash", { command: "exit 2" })).toMatchObject({ isError: true });
    });
    expect(heard.map((event) => event.type === "tool" && event.tool.status)).toEqual([
      ...["in_progress", "completed"],
      ...["in_progress", "failed"],
      ...["in_progress", "failed"],
    ]);
  });

  it("has a socket that is the user's alone, and a token that is in no argument (I1)", async () => {
    const { path, token, server } = await served();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(server.transport === "stdio" && server.args)).not.toContain(token);
  });

  it("answers only those who know the token (I1)", async () => {
    const { path, token } = await served();
    expect(await answerTo(path, `${token}\n${HELLO}`)).toContain('"serverInfo"');
    const wrong = token.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    expect(await answerTo(path, `${wrong}\n${HELLO}`)).toBe("");
    expect(await answerTo(path, HELLO)).toBe("");
  });

  it("leaves nothing behind (I3)", async () => {
    const { path, close, server, place } = await served();
    await close();
    expect(existsSync(join(dirname(path)))).toBe(false);
    await expect(withServer(server, place, async () => undefined)).rejects.toThrow("cannot be used");
  });
});
