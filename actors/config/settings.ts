/** What a user can configure, as the rest of Troupe reads it. */
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Limits } from "../base/limits.ts";
import type { PermissionRules } from "./permissions.ts";

/** An agent that speaks ACP, started as it is configured: nothing is ever added to its arguments. */
export type AcpAgent = {
  name: string;
  command: string;
  args: string[];
  env: { [name: string]: string };
  /** What it may do to files of the workspace through us. */
  files: "none" | "read" | "write";
  /** Whether it may run commands through us. */
  terminal: boolean;
  /** How it is authenticated where it asks for that: one of the methods that it offers. */
  auth: string | null;
  /** The MCP servers that are passed on to it, by name. */
  mcpServers: string[];
};
export type Config = {
  /** The file's place, whether or not there is one. */
  file: string;
  acpAgents: { [name: string]: AcpAgent };
  mcpServers: McpServer[];
  permissions: PermissionRules;
  editor: { write: boolean; terminal: boolean };
  /** Models that a session can choose, by provider. */
  models: { [provider: string]: string[] };
  limits: Partial<Limits>;
};
