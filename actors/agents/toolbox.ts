/**
 * The tools that an agent without a program of its own offers to its model: Troupe's own where the step has them, and
 * those of the step's MCP servers.
 *
 * I1. A tool is used only where `ask` allowed it, once for a call; what happens to it is reported as one call.
 * I2. A server's process runs as long as the toolbox is open, and no longer.
 * I3. Of a result no more than MOST_SHOWN reaches the model, which would have no room for more.
 */
import type { CallToolResult, Client, Tool } from "@modelcontextprotocol/client";
import type { ToolKind } from "../../machines/exchange.ts";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Json } from "../../machines/model.ts";
import { LONGEST_MS } from "../base/clock.ts";
import { withServer } from "../mcp/connect.ts";
import { resultText } from "../mcp/result-text.ts";
import { leftOutWords, toolsIn } from "../mcp/tool-list.ts";
import type { AgentRequest } from "./agent.ts";
import { namedApart } from "./tool-names.ts";

/** In UTF-16 units. */
export const MOST_SHOWN = 100_000;

export type OfferedTool = {
  /** Troupe's own tools ask about their calls and report them; for a server's tool its caller does. */
  type: "own" | "server";
  /** As the model calls it: letters, digits, `_` and `-`. */
  name: string;
  /** As a reader sees it: `server: tool`. */
  title: string;
  description: string;
  schema: Json;
  kind: ToolKind;
  call: (input: { [name: string]: Json }, signal: AbortSignal, id: string) => Promise<{ ok: boolean; text: string }>;
};

type ToolboxRequest = Pick<AgentRequest, "mcpServers" | "cwd" | "env" | "marker" | "toolbox">;

/** Opens the step's servers for as long as `use` takes; `warn` hears of tools that are left out. Throws `McpUnreachable`. */
export function withTools<T>(
  place: ToolboxRequest,
  { signal, warn }: { signal: AbortSignal; warn: (message: string) => void },
  use: (tools: OfferedTool[]) => Promise<T>,
): Promise<T> {
  const open = async ([server, ...rest]: readonly McpServer[], tools: OfferedTool[]): Promise<T> => {
    if (server === undefined) return await use(namedApart(tools));
    const { cwd, env: environment, marker } = place;
    return await withServer(server, { cwd, environment, marker, signal }, async (client, why) => {
      const given = await toolsIn(server, { client, why, signal });
      const words = leftOutWords(server, given.leftOut);
      if (words !== null) warn(words);
      return open(rest, [...tools, ...given.tools.map((one) => offeredBy(server.name, one, client))]);
    });
  };
  return open(place.mcpServers, ownOf(place));
}

const ownOf = ({ toolbox }: ToolboxRequest): OfferedTool[] =>
  (toolbox?.offer ?? []).map((tool) => ({
    ...{ ...tool, type: "own", title: tool.name },
    call: async (input, signal, id) => {
      const { text, isError } = (await toolbox?.call(tool.name, input, signal, id)) ?? { text: "", isError: true };
      return { ok: !isError, text };
    },
  }));

const offeredBy = (server: string, tool: Tool, client: Client): OfferedTool => ({
  type: "server",
  name: `${server}__${tool.name}`,
  title: `${server}: ${tool.name}`,
  description: tool.description ?? "",
  schema: tool.inputSchema as Json,
  kind: tool.annotations?.readOnlyHint === true ? "read" : "other",
  call: async (input, stop) => {
    // It may take as long as its step may.
    const result = await client.callTool({ name: tool.name, arguments: input }, { signal: stop, timeout: LONGEST_MS });
    return { ok: (result as CallToolResult).isError !== true, text: beginningOf(resultText(result as CallToolResult)) };
  },
});

/** The beginning of a text that is longer, up to a whole line or word, and how much is missing. */
function beginningOf(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const cut = text.slice(0, MOST_SHOWN);
  const whole = [cut.lastIndexOf("\n"), cut.lastIndexOf(" ")].find((at) => at > MOST_SHOWN / 2) ?? MOST_SHOWN;
  const missing = text.length - whole;
  return `${cut.slice(0, whole).toWellFormed()}\n[${missing} more characters are left out; ask for less at once]`;
}
