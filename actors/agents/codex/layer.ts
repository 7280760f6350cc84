/**
 * What codex gets beside its arguments: a configuration file of one run, which lies on the user's own.
 *
 * I1. The system prompt and what an MCP server is given are in a file that only the user can read, never in the
 *     arguments, which every user of the machine can.
 * I2. The file is removed when the run has ended. What a killed process left is removed by the next run.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { AgentRequest } from "../agent.ts";
import { isAlive } from "../scratch.ts";
import { type Toml, toml } from "./toml.ts";

type LayerRequest = Pick<AgentRequest, "systemPrompt" | "mcpServers" | "env">;
/** `name`: what `--profile` takes. */
export type Layer = { name: string; remove: () => void };

const NAME = /^troupe-(\d+)-\d+\.config\.toml$/;
let written = 0;

/** Where codex keeps its configuration and its conversations. */
export const codexHome = (env: { readonly [name: string]: string }): string =>
  env["CODEX_HOME"] || join(env["HOME"] ?? homedir(), ".codex");

/** Writes the file, or null where there is nothing to say in one. */
export function writeLayer(request: LayerRequest, pid: number = process.pid): Layer | null {
  const text = layerText(request);
  if (text === "") return null;
  const home = codexHome(request.env);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  removeLeft(home, pid);
  written += 1;
  const name = `troupe-${pid}-${written}`;
  const file = join(home, `${name}.config.toml`);
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return { name, remove: () => rmSync(file, { force: true }) };
}

/** The file's text. */
export function layerText({ systemPrompt, mcpServers }: Pick<LayerRequest, "systemPrompt" | "mcpServers">): string {
  const lines: string[] = [];
  if (systemPrompt !== null) lines.push(`developer_instructions = ${toml(systemPrompt)}`);
  for (const server of mcpServers) lines.push(`mcp_servers.${toml(server.name)} = ${toml(serverOf(server))}`);
  return lines.map((line) => `${line}\n`).join("");
}

// In a run of this kind codex asks no questions: a call that would need an answer fails. Who gave the server to the step has
// allowed its tools.
const ALLOWED = { default_tools_approval_mode: "approve" };

function serverOf(server: McpServer): Toml {
  switch (server.transport) {
    case "stdio":
      return { command: server.command, args: server.args, env: server.env, ...ALLOWED };
    case "http":
      return { url: server.url, http_headers: server.headers, ...ALLOWED };
    case "sse":
      throw new TroupeError(
        "EXECUTION.AGENT.UNSUPPORTED",
        `mcp_servers.${server.name}: codex knows no servers of type sse; give it by type: http, or as a command`,
      );
    default:
      return server satisfies never;
  }
}

function removeLeft(home: string, own: number): void {
  for (const file of readdirSync(home)) {
    const pid = Number(NAME.exec(file)?.[1] ?? own);
    if (pid !== own && !isAlive(pid)) rmSync(join(home, file), { force: true });
  }
}
