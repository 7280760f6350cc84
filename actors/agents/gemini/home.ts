/**
 * A home of one run: all that is in the user's own, with further MCP servers in its settings and the system prompt
 * among its words for agents. Gemini takes both from its home alone, and the user's is not touched.
 *
 * I1. Conversations and logins are the user's own, see `linked.ts`.
 * I2. What a server is given is not in the file: it travels in environment variables.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, listAt, parsed } from "../../base/json.ts";
import type { AgentRequest } from "../agent.ts";
import { linkedFolder } from "../linked.ts";
import { mcpConfig } from "../mcp-config.ts";
import { wrongOption } from "../options.ts";
import type { Scratch } from "../scratch.ts";
import { OWN_TOOLS } from "./tools.ts";

type GeminiHomeRequest = Pick<AgentRequest, "mcpServers" | "ownTools" | "env">;
export type Home = { env: { [name: string]: string }; giveBack: () => void };

const FOLDER = ".gemini";
const SETTINGS = "settings.json";
const KEPT = ["tmp", "history"];

/** `added`: the system prompt that stands beside the program's own. Null where the user's home will do. */
export function homeOf(request: GeminiHomeRequest, added: string | null, scratch: Scratch): Home | null {
  const { mcpServers, ownTools, env } = request;
  if (mcpServers.length === 0 && ownTools === "kept" && added === null) return null;
  const theirs = join(env["GEMINI_CLI_HOME"] || env["HOME"] || homedir(), FOLDER);
  const settings = settingsIn(theirs);
  const { json, env: values } = mcpConfig(mcpServers);
  const written: { [name: string]: string } = { [SETTINGS]: JSON.stringify(merged(settings, json, ownTools)) };
  if (added !== null) {
    const name = memoryName(settings);
    const file = join(theirs, name);
    written[name] = existsSync(file) ? `${readFileSync(file, "utf8")}\n\n${added}` : added;
  }
  const giveBack = linkedFolder({ theirs, ours: join("home", FOLDER), kept: KEPT, written, left: [] }, scratch);
  return { env: { ...values, GEMINI_CLI_HOME: scratch.path("home") }, giveBack };
}

function merged(settings: Fields, json: string, ownTools: GeminiHomeRequest["ownTools"]): Fields {
  const servers: { [name: string]: Json } = { ...fieldsAt(settings, "mcpServers") };
  for (const [name, server] of Object.entries(fieldsAt(fieldsOf(parsed(json) ?? null), "mcpServers"))) {
    // No user can be asked in a run of this kind. A server that the step was given is allowed with its tools.
    servers[name] = { ...fieldsOf(server), trust: true };
  }
  const all = { ...settings, mcpServers: servers };
  if (ownTools === "kept") return all;
  // A list of what it may use, `core`, would take the servers' tools away too.
  const tools = fieldsAt(settings, "tools");
  return { ...all, tools: { ...tools, exclude: [...listAt(tools, "exclude"), ...OWN_TOOLS] } };
}

/** The name of files with words for agents, which the user may have changed. */
function memoryName(settings: Fields): string {
  const [name] = [own(fieldsAt(settings, "context"), "fileName") ?? []].flat();
  return typeof name === "string" && /^[\w.-]+$/.test(name) ? name : "GEMINI.md";
}

function settingsIn(folder: string): Fields {
  const file = join(folder, SETTINGS);
  if (!existsSync(file)) return {};
  const settings = parsed(withoutComments(readFileSync(file, "utf8")));
  if (settings === null) throw wrongOption("mcp_servers", `${file} is no JSON; correct it, gemini reads it too`);
  return fieldsOf(settings);
}

const withoutComments = (text: string): string =>
  text.replace(
    /("(?:[^"\\]|\\[\s\S])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
