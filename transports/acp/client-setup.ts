/** What a client brings with its session, in the facade's words. What is wrong with it, the facade says. */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { Setup } from "../../actors/troupe.ts";

type Brought = { mcpServers?: McpServer[] | null; additionalDirectories?: string[] | null };

export const setupOf = ({ mcpServers, additionalDirectories }: Brought): Setup => ({
  additionalDirectories: additionalDirectories ?? [],
  mcpServers: (mcpServers ?? []).map(serverOf),
});

function serverOf(server: McpServer): Setup["mcpServers"][number] {
  if ("type" in server) {
    const { type, name, url, headers } = server;
    return { name, transport: type, url, headers: valuesOf(headers) };
  }
  const { name, command, args, env } = server;
  return { name, transport: "stdio", command, args, env: valuesOf(env) };
}

const valuesOf = (pairs: readonly { name: string; value: string }[]): { [name: string]: string } =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
