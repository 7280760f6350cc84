/** An agent's program as it is configured, found and started. */

import { randomUUID } from "node:crypto";
import type { Environment } from "../base/user-folders.ts";
import { agentEnvironment } from "../process/environment.ts";
import { ownIdentity } from "../process/identity.ts";
import { markerFor } from "../process/marker.ts";
import { resolveCommand } from "./command.ts";
import { openProcess, type ProcessChannel } from "./process-channel.ts";

/** A program that speaks ACP on its pipes. It is started without a shell. */
export type AgentCommand = {
  /** One program: its path, or a name of PATH. */
  command: string;
  args?: readonly string[];
  /** What it gets beside a list of harmless names. */
  env?: { readonly [name: string]: string };
  /** Where it runs. */
  cwd?: string;
  /** What a relative path is relative to; without it, relative paths are refused. */
  base?: string;
};

/** Starts it now, wherever it is by now. Throws `agentNotFound`. */
export function startAgent(
  agent: AgentCommand,
  mask: (text: string) => string = (text) => text,
  environment: Environment = process.env,
): ProcessChannel {
  const { command, args = [], env = {}, cwd = process.cwd(), base = null } = agent;
  const file = resolveCommand(command, { path: environment["PATH"], base });
  return openProcess({
    argv: [file, ...args],
    cwd,
    env: agentEnvironment(environment, env),
    marker: markerFor(ownIdentity(), `client/${randomUUID()}`),
    mask,
  });
}
