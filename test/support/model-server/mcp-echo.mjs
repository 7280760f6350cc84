#!/usr/bin/env node
// A minimal stdio MCP server (no dependencies) with one tool, `ping`, for checking how an agent is given MCP servers.
// MCP_MORE holds what else it lists.
import readline from "node:readline";

const send = (m) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...m })}\n`);
readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === "initialize")
      return send({
        id,
        result: {
          protocolVersion: params?.protocolVersion ?? "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "stub", version: "1.0.0" },
        },
      });
    if (method === "tools/list")
      return send({
        id,
        result: {
          tools: [
            {
              name: "ping",
              description: "Answers pong.",
              inputSchema: {
                type: "object",
                properties: { note: { type: "string", pattern: process.env.MCP_PATTERN } },
              },
            },
            ...JSON.parse(process.env.MCP_MORE ?? "[]"),
          ],
        },
      });
    if (method === "tools/call" && process.env.MCP_DIES !== undefined) {
      process.stderr.write(`${process.env.MCP_DIES}\n`);
      return process.exit(3);
    }
    if (method === "tools/call")
      return send({
        id,
        result: {
          content: [
            {
              type: "text",
              text: `pong from mcp (${params?.arguments?.note ?? ""}) env=${process.env.MCP_MARK ?? ""}`,
            },
          ],
        },
      });
    if (method === "ping") return send({ id, result: {} });
    send({ id, error: { code: -32601, message: `no method ${method}` } });
  })
  .on("close", () => process.exit(0));
