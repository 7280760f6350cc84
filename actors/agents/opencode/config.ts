/**
 * What Troupe adds to the configuration of `opencode`, which the program takes from an environment variable.
 *
 * I1. What the user has in that variable stays; the step's own comes on top.
 * I2. A denied tool does not end the turn: the model hears of it, as it does with other agents.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, isFields, listAt, parsed } from "../../base/json.ts";
import type { AgentRequest } from "../agent.ts";
import { wrongOption } from "../options.ts";
import type { OpencodeOptions } from "./options.ts";
import { toolPart } from "./tools.ts";

export const CONFIG_VARIABLE = "OPENCODE_CONFIG_CONTENT";

export type Extra = {
  systemPrompt: { file: string } | { text: string } | null;
} & Pick<AgentRequest, "cwd" | "mcpServers" | "ownTools">;

/** The whole text of the variable. Throws a `TroupeError` where the user's part is no JSON object. */
export function configText(users: string | undefined, options: OpencodeOptions, extra: Extra): string {
  const base = users === undefined || users.trim() === "" ? {} : parsed(users);
  if (!isFields(base ?? undefined)) {
    throw wrongOption("env", `${CONFIG_VARIABLE} of the environment is no JSON object; correct it there`);
  }
  const config: { [name: string]: Json } = { autoupdate: false, share: "disabled", ...fieldsOf(base as Json) };
  config["experimental"] = { continue_loop_on_deny: true, ...fieldsAt(config, "experimental") };
  if (options.permission !== undefined) {
    config["permission"] = { ...permissionOf(own(config, "permission")), ...fieldsOf(options.permission) };
  }
  config["mcp"] = { ...fieldsAt(config, "mcp"), ...serversOf(extra.mcpServers) };
  if (extra.ownTools === "replaced") {
    const theirs = extra.mcpServers.map(({ name }): [string, Json] => [`${toolPart(name)}_*`, "allow"]);
    config["permission"] = { "*": "deny", ...Object.fromEntries(theirs) };
  }
  const files = [...listAt(config, "instructions"), ...agentsFiles(extra.cwd)];
  const { systemPrompt } = extra;
  if (systemPrompt !== null && "file" in systemPrompt) files.push(systemPrompt.file);
  if (files.length > 0) config["instructions"] = files;
  if (systemPrompt !== null && "text" in systemPrompt) {
    const name = typeof options.agent === "string" ? options.agent : "build";
    const agents = fieldsAt(config, "agent");
    config["agent"] = { ...agents, [name]: { ...fieldsAt(agents, name), prompt: systemPrompt.text } };
  }
  return JSON.stringify(config);
}

/** The short form, one word for all tools, spelled out. */
const permissionOf = (value: Json | undefined): Fields =>
  typeof value === "string" ? { "*": value } : fieldsOf(value);

function serversOf(servers: readonly McpServer[]): { [name: string]: Json } {
  return Object.fromEntries(servers.map((server) => [server.name, serverOf(server)]));
}

function serverOf(server: McpServer): Json {
  switch (server.transport) {
    case "stdio":
      return {
        type: "local",
        command: [server.command, ...server.args],
        environment: { ...server.env },
        enabled: true,
      };
    case "http":
    case "sse":
      return { type: "remote", url: server.url, headers: { ...server.headers }, enabled: true };
    default:
      return server satisfies never;
  }
}

/**
 * The project's own words for agents. They are text for the model; the rest of a project's configuration (plugins,
 * servers, commands) is not read, and with it the program would leave these out too.
 */
function agentsFiles(cwd: string): string[] {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, "AGENTS.md");
    if (existsSync(file)) return [file];
    if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return [];
  }
}
