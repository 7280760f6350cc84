/** What a user can configure, as the rest of Troupe reads it. */
import type { Allowance } from "../../machines/budget/budget.ts";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Retention } from "../api/upkeep.ts";
import type { Limits } from "../base/limits.ts";
import type { PermissionRules } from "./permissions.ts";

/** The attributes by which a secret is found in the user's store of secrets. */
export type SecretRef = { [attribute: string]: string };

/** An agent that speaks ACP, started as it is configured: nothing is ever added to its arguments. */
export type AcpAgent = {
  /** Never changes. One of `config.yaml` has its slug in its place. */
  id: string;
  /** The name in workflows. */
  slug: string;
  /** What people call it. */
  name: string;
  /** Slugs that it had before, which still name it. */
  formerly: string[];
  enabled: boolean;
  /** Where it was taken from: a preset's id and version. */
  preset: string | null;
  /** The file in which it stands; relative commands are relative to it. */
  file: string;
  command: string;
  args: string[];
  env: { [name: string]: string };
  /** Variables whose values stand in the user's store of secrets: looked up when it starts. */
  secrets?: { [name: string]: SecretRef };
  /** Variables of `env` that have no value here, and where theirs would come from. It does not start without them. */
  lacking: { [name: string]: string };
  /** `workspace`: it runs in a sandbox, or not at all; `write`: what else it can write there, absolute. */
  sandbox: { kind: "none" } | { kind: "workspace"; write: string[] };
  /** Where its process runs, if not in the run's folder. */
  cwd: string | null;
  /** What it may do to files of the workspace through us. */
  files: "none" | "read" | "write";
  /** Whether it may run commands through us. */
  terminal: boolean;
  /** How it is authenticated where it asks for that: one of the methods that it offers. */
  auth: string | null;
  /** The MCP servers that are passed on to it, by name; `*`: every one, after a question. */
  mcpServers: string[];
  /** What else is said of them. */
  mcp?: ServerRules;
  /** Files with a repository's words that it reads by itself, where its user says so. */
  reads?: string[];
  /** `agentMs`: an attempt; `startMs`: from its start to its first answer. */
  limits: { agentMs?: number; startMs?: number };
};
/**
 * By names of servers. `deny`: never passed on, whatever else is said. `ask`: passed on after a question. `secrets`: it is
 * handed their credentials, which else stay with us.
 */
export type ServerRules = { deny: string[]; ask: string[]; secrets: string[] };
type Lack = { name: string; variable: string };
/** A server without the variables or headers whose values are not set here: their names, and where they would come from. */
export type LackingServer = { server: McpServer; variables: [Lack, ...Lack[]] };
/** In US dollars for a million tokens. */
export type ModelPrice = { input: number; output: number };
/** One that the user had. `at`: when it was removed, as it stands in the file. `formerly`: slugs that it had before. */
export type RemovedAgent = { id: string; slug: string; name: string; at: string; formerly?: string[] };
export type Config = {
  /** The file's place, whether or not there is one. */
  file: string;
  /** By their slugs. */
  acpAgents: { [slug: string]: AcpAgent };
  removedAgents: RemovedAgent[];
  mcpServers: McpServer[];
  /** Those that a variable is missing for: steps do without them. */
  lackingServers?: LackingServer[];
  permissions: PermissionRules;
  editor: { write: boolean; terminal: boolean };
  /** Models that a session can choose, by provider. */
  models: { [provider: string]: string[] };
  /** Where trees of steps stand; by default beside each repository. */
  worktreesDir?: string;
  /** What each of the user's runs may spend. */
  budget?: Allowance;
  /** Prices of models, by their names. */
  prices?: { [model: string]: ModelPrice };
  limits: Partial<Limits>;
  retention: Retention;
};
