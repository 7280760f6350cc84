/**
 * What holds where the user has configured nothing: the same that an empty file says, without what reads one.
 */
import { join } from "node:path";
import { type Environment, userFolders } from "../base/user-folders.ts";
import type { Config } from "./settings.ts";

const AGENTS_FILE = "agents.yaml";

/** The place of the agents that a person owns. */
export const agentsFileOf = (environment: Environment): string =>
  join(userFolders(environment).config, "troupe", AGENTS_FILE);

export const nothingConfigured = (file: string): Config => ({
  file,
  acpAgents: {},
  removedAgents: [],
  mcpServers: [],
  permissions: { default: "ask", deny: [], allow: [], ask: [] },
  editor: { write: false, terminal: false },
  models: {},
  retention: {},
  limits: {},
});
