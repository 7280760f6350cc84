/** A small MCP server over HTTP with one tool, `ping`, which says by whom it is called; others are turned away. */
import { httpServer } from "./http-server.ts";

/** `token`: the bearer that it wants. It ends with the test. */
export async function mcpOver(token: string): Promise<{ url: string; methods: string[] }> {
  const methods: string[] = [];
  const { url } = await httpServer(({ method: verb, headers, body }) => {
    const { authorization = "" } = headers;
    if (authorization !== `Bearer ${token}`) return { status: 401 };
    if (verb !== "POST") return { status: 405 };
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string };
    };
    methods.push(method);
    if (id === undefined) return { status: 202 };
    const answer = answerOf(method, { version: params?.protocolVersion ?? "", authorization });
    const said = JSON.stringify({ jsonrpc: "2.0", id, ...answer });
    return { headers: { "content-type": "application/json", "mcp-session-id": "s1" }, body: said };
  });
  return { url: `${url}/mcp`, methods };
}

function answerOf(method: string, { version, authorization }: { version: string; authorization: string }): object {
  const serverInfo = { name: "far", version: "1.0.0" };
  switch (method) {
    case "initialize":
      return { result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo } };
    case "tools/list":
      return { result: { tools: [{ name: "ping", description: "Answers.", inputSchema: { type: "object" } }] } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: `pong over http as ${authorization}` }] } };
    default:
      return { error: { code: -32601, message: `no method ${method}` } };
  }
}
