/**
 * An MCP server in the one form that the rest of the house knows, wherever its name comes from.
 *
 * I1. `env` and `headers` are what the server's own configuration sets; nothing of a process's environment is in it.
 */
export type McpServer =
  | { name: string; transport: "stdio"; command: string; args: string[]; env: { [name: string]: string } }
  | { name: string; transport: "http" | "sse"; url: string; headers: { [name: string]: string } };
