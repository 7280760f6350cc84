/**
 * The tools of an MCP server that is connected to.
 *
 * I1. A tool that the server tells in no form of the protocol is left out, and named; the others are there.
 */
import { type Client, type JSONRPCMessage, specTypeSchemas, type Tool } from "@modelcontextprotocol/client";
import type { McpServer } from "../../machines/mcp/server.ts";
import { fieldsOf, textAt } from "../base/json.ts";
import { McpUnreachable } from "./connect.ts";

const MOST_NAMED = 5;

/** `name`: null where the server tells none. */
export type LeftOut = { name: string | null; why: string };
export type ToolList = { tools: Tool[]; leftOut: LeftOut[] };
type Connection = { client: Client; why: (error: unknown) => string; signal: AbortSignal };

/** What a server says of its tools. Throws `McpUnreachable`, also after an abort. */
export async function toolsIn({ name }: McpServer, { client, why, signal }: Connection): Promise<ToolList> {
  const leftOut: LeftOut[] = [];
  const { transport } = client;
  const deliver = transport?.onmessage;
  // The client takes a list as a whole, or not at all: it is given what it can take.
  if (transport !== undefined && deliver !== undefined)
    transport.onmessage = (message, extra) => deliver(sifted(message, leftOut), extra);
  try {
    return { tools: (await client.listTools(undefined, { signal })).tools, leftOut };
  } catch (error) {
    throw new McpUnreachable(`the MCP server "${name}" does not say what tools it has: ${why(error)}`);
  } finally {
    if (transport !== undefined && deliver !== undefined) transport.onmessage = deliver;
  }
}

/** Says which tools of a server are not used, and why; null where all are. */
export function leftOutWords({ name }: McpServer, leftOut: readonly LeftOut[]): string | null {
  if (leftOut.length === 0) return null;
  const named = leftOut.slice(0, MOST_NAMED).map((one) => `${one.name ?? "one without a name"} (${one.why})`);
  const more = leftOut.length > MOST_NAMED ? [`${leftOut.length - MOST_NAMED} more`] : [];
  return `the MCP server "${name}" tells tools in no form of MCP, which are left out: ${[...named, ...more].join(", ")}`;
}

function sifted<T extends JSONRPCMessage>(message: T, leftOut: LeftOut[]): T {
  if (!("result" in message)) return message;
  const { tools } = message.result as { tools?: unknown };
  if (!Array.isArray(tools)) return message;
  const fit = tools.filter((tool) => {
    const why = faultOf(tool);
    if (why !== null) leftOut.push({ name: textAt(fieldsOf(tool), "name"), why });
    return why === null;
  });
  return { ...message, result: { ...message.result, tools: fit } };
}

function faultOf(tool: unknown): string | null {
  const checked = specTypeSchemas.Tool["~standard"].validate(tool);
  if (checked instanceof Promise) return null;
  const [issue] = checked.issues ?? [];
  if (issue === undefined) return null;
  const path = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
