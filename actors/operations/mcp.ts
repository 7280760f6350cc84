/**
 * `<server>.<tool>`: any tool of a configured MCP server.
 *
 * I1. `Output` is the tool's text; `Response` its structured content, or the object that its text is, or `{text}`.
 * I2. The server runs for this call alone.
 */
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Json } from "../../machines/model.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { LONGEST_MS } from "../base/clock.ts";
import { isFields, parsed } from "../base/json.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { McpUnreachable, withServer } from "../mcp/connect.ts";
import { resultText } from "../mcp/result-text.ts";
import { type LeftOut, toolsIn } from "../mcp/tool-list.ts";
import { traceMeta } from "../mcp/trace-meta.ts";
import type { Operation, OperationEnd, Outputs } from "./operation.ts";

/** So much of the words of a tool that failed stands in the reason; its output has them. */
const MOST_TOLD = 2_000;

export const mcpTool =
  (server: McpServer, tool: string): Operation =>
  async (call) => {
    try {
      return await withServer(server, call, async (client, why) => {
        const { tools, leftOut } = await toolsIn(server, { client, why, signal: call.signal });
        const faulty = leftOut.find((each) => each.name === tool);
        if (faulty !== undefined) return { ok: false, message: unusable(server.name, tool, faulty) };
        if (!tools.some((each) => each.name === tool))
          throw unknownTool(
            server.name,
            tool,
            tools.map((each) => each.name),
          );
        const request = { name: tool, arguments: { ...call.inputs }, ...traceMeta(call.traceparent) };
        try {
          // It may take as long as its step may.
          const result = await client.callTool(request, { signal: call.signal, timeout: LONGEST_MS });
          return endOf(result as CallToolResult, `${server.name}.${tool}`);
        } catch (error) {
          return { ok: false, message: `${server.name}.${tool}: ${why(error)}` };
        }
      });
    } catch (error) {
      if (error instanceof TroupeError) throw error;
      if (error instanceof McpUnreachable) return { ok: false, message: error.message };
      return {
        ok: false,
        message: `${server.name}.${tool}: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  };

const unusable = (server: string, tool: string, { why }: LeftOut): string =>
  `${server}.${tool}: the server tells this tool in no form of MCP: ${why}; it is for the server's maker to mend`;

function unknownTool(server: string, tool: string, known: string[]): TroupeError {
  const meant = suggest(tool, known);
  const question = meant === null ? "." : `; did you mean "${meant}"?`;
  const message = `the MCP server "${server}" has no tool "${tool}"${question} It has: ${known.sort().join(", ") || "none"}`;
  return new TroupeError("USER.OPERATION.UNKNOWN", message, { server, tool });
}

function endOf(result: CallToolResult, name: string): OperationEnd {
  const text = resultText(result);
  const outputs = outputsOf(result, text);
  if (result.isError === true) return { ok: false, message: `${name}: ${reasonIn(text)}`, outputs, text };
  return { ok: true, outputs, told: text === "" ? name : text, text };
}

function reasonIn(text: string): string {
  if (text.length > MOST_TOLD) return `${text.slice(0, MOST_TOLD).replace(/[\uD800-\uDBFF]$/, "")}…`;
  return text || "the tool failed";
}

function outputsOf({ structuredContent }: CallToolResult, text: string): Outputs {
  if (structuredContent !== undefined && isFields(structuredContent as Json)) return structuredContent as Outputs;
  const read = parsed(text);
  return read !== null && isFields(read) ? read : { text };
}
