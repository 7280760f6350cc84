/** Agents that speak ACP, as a user would configure them, and how they differ. */
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { acp } from "../../../actors/agents/acp/acp.ts";
import { Pool } from "../../../actors/agents/acp/pool.ts";
import type { AgentProcess } from "../../../actors/agents/acp/process.ts";
import type { Agent } from "../../../actors/agents/agent.ts";
import { parseConfig } from "../../../actors/config/config.ts";
import type { Json } from "../../../machines/model.ts";
import type { Environment } from "../subject.ts";
import { claudeEnvironment } from "./claude.ts";
import { codexEnvironment, prepareCodexModel } from "./codex.ts";
import { geminiEnvironment, prepareGemini } from "./gemini.ts";
import { copilotEnvironment } from "./github-copilot.ts";
import { opencodeEnvironment } from "./opencode.ts";

export type AcpSubject = {
  name: string;
  /** The preset that it is. */
  preset: string;
  /** Its entry in the user's configuration. */
  entry: { command: string; args?: string[] };
  environment: (server: { url: string }, home: string) => Environment;
  prepare?: (server: { url: string }, home: string) => void;
  /** Options with which it may not write a file, unless it asks. */
  closed?: { [name: string]: Json };
  /** It asks before it runs a command; otherwise its sandbox refuses what is not allowed. */
  asks: boolean;
  /** What it reports of a shell call. */
  shell: (command: string, cwd: string) => { title: string; input?: Json };
  /** It reports the output of a command. */
  output: boolean;
  /** Makes its stored conversations some minutes older. */
  age?: (home: string) => void;
};

export const ACP_SUBJECTS: readonly AcpSubject[] = [
  {
    name: "claude-agent-acp",
    preset: "claude-agent-acp",
    entry: { command: "claude-agent-acp" },
    environment: claudeEnvironment,
    asks: true,
    shell: (command) => ({ title: command, input: { command } }),
    output: true,
  },
  {
    name: "codex-acp",
    preset: "codex-acp",
    entry: { command: "codex-acp" },
    environment: (server, home) => ({ ...codexEnvironment(server, home), MODEL_PROVIDER: "stub", NO_BROWSER: "1" }),
    prepare: prepareCodexModel,
    closed: { mode: "read-only" },
    asks: false,
    shell: (command, cwd) => ({ title: command, input: { command, cwd } }),
    output: true,
  },
  {
    name: "gemini --acp",
    preset: "gemini",
    entry: { command: "gemini", args: ["--acp", "--model=gemini-2.5-flash"] },
    environment: geminiEnvironment,
    asks: true,
    prepare: prepareGemini,
    shell: (command) => ({ title: command }),
    output: false,
    age: olderGemini,
  },
  {
    name: "opencode acp",
    preset: "opencode",
    entry: { command: "opencode", args: ["acp"] },
    environment: askingOpencode,
    asks: true,
    shell: (command, cwd) => ({ title: command, input: { command, cwd } }),
    output: true,
  },
  {
    name: "copilot --acp",
    preset: "copilot",
    entry: { command: "copilot", args: ["--acp", "--no-auto-update", "--disable-builtin-mcps"] },
    environment: copilotEnvironment,
    asks: true,
    shell: (command) => ({ title: "stub", input: { command, description: "stub" } }),
    output: true,
  },
];

/** By default OpenCode runs every command. */
function askingOpencode(server: { url: string }, home: string): Environment {
  const environment = opencodeEnvironment(server, home);
  const config = JSON.parse(environment["OPENCODE_CONFIG_CONTENT"] ?? "") as object;
  return { ...environment, OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, permission: { bash: "ask" } }) };
}

/** It names a conversation's file by the minute, and overwrites one of the same minute where it should load it. */
function olderGemini(home: string): void {
  const chats = join(home, ".gemini", "tmp", "work", "chats");
  for (const name of readdirSync(chats)) {
    renameSync(join(chats, name), join(chats, name.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d/, "2026-01-01T00-00")));
  }
}

/** The agent of a user whose configuration names it. Its process ends with each turn. */
export function acpAgent(entry: AcpSubject["entry"], root: string): Agent {
  const source = JSON.stringify({ agents: { acp: { subject: entry } } });
  const { config, findings } = parseConfig(source, join(root, "config.yaml"), {});
  if (config === null) throw new Error(JSON.stringify(findings));
  const pool = new Pool<AgentProcess>();
  const agent = acp({ config: () => config, pool });
  const once: Agent = async (request, emit, signal) => {
    try {
      return await agent(request, emit, signal);
    } finally {
      await pool.leave(request.warm.session);
    }
  };
  return Object.assign(once, { takes: agent.takes });
}
