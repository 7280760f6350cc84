/**
 * A toolbox as an MCP server that an agent's program can start (`actors/mcp/bridged.ts`).
 *
 * I1. The bridge has no rights of its own: what it passes on is a call of a tool of this step.
 */
import type { Socket } from "node:net";
import { McpServer as Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { z } from "zod";
import { TOOLS_SERVER } from "../base/agent-names.ts";
import { type Bridged, bridged } from "../mcp/bridged.ts";
import type { Toolbox } from "./toolbox.ts";

const READS = new Set(["read", "search"]);

export type Served = Bridged;

/** Serves the toolbox until `close`. */
export const serveTools = (toolbox: Toolbox): Promise<Served> =>
  bridged(TOOLS_SERVER, (socket) => serve(socket, toolbox));

function serve(socket: Socket, toolbox: Toolbox): void {
  const handle = serveStdio(() => serverOf(toolbox), { transport: new StdioServerTransport(socket, socket) });
  socket.once("close", () => void handle.close().catch(() => undefined));
}

function serverOf(toolbox: Toolbox): Server {
  const server = new Server({ name: TOOLS_SERVER, version: "0.1.0" });
  for (const { name, description, kind, input } of toolbox.tools) {
    // Calls are checked by the toolbox, so that a wrong one is an exchange too.
    const { "~standard": standard } = input as z.ZodObject;
    const inputSchema = { "~standard": { ...standard, validate: (value: unknown) => ({ value }) } };
    const annotations = { readOnlyHint: READS.has(kind) };
    server.registerTool(name, { description, inputSchema, annotations }, async (given, context) => {
      const { text, isError } = await toolbox.call(name, given, context.mcpReq.signal);
      return { isError, content: [{ type: "text", text }] };
    });
  }
  return server;
}
