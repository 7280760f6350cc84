/**
 * The agent behind every provider of the list (`machines/workflow/providers.ts`). Its code is loaded when a step first
 * needs it.
 *
 * I1. One agent serves all steps: it keeps nothing of a step beyond its end.
 * I2. Code that could not be loaded is loaded anew by the next step.
 */
import type { Provider } from "../../machines/workflow/providers.ts";
import type { FramesLog } from "../acp-client/frames/frames-log.ts";
import type { Pace } from "../base/clock.ts";
import type { Environment } from "../base/user-folders.ts";
import type { AcpAgent, Config } from "../config/config.ts";
import { Pool } from "./acp/pool.ts";
import type { AgentProcess } from "./acp/process.ts";
import type { Agent } from "./agent.ts";

export type Agents = { readonly [provider: string]: () => Promise<Agent> };

/** Processes of agents that wait for the next step of their session. */
export const agentPool = (): Pool<AgentProcess> => new Pool<AgentProcess>();

export type RegistryOptions = {
  /** Paces those that need it. */
  clock: Pace;
  config: () => Config;
  /** An agent with the values that stand in the user's store of secrets. */
  unlock?: (agent: AcpAgent) => Promise<AcpAgent>;
  pool: Pool<AgentProcess>;
  /** Where the user's folders and programs are; what every agent gets of it by default. */
  environment?: Environment;
  /** A log of the frames of agents that speak ACP. */
  frames?: () => FramesLog | null;
};

/** The agents of this process. */
export function agentRegistry({ clock, config, unlock, pool, environment, frames }: RegistryOptions): Agents {
  const loads: { readonly [provider in Provider]: () => Promise<Agent> } = {
    acp: async () =>
      (await import("./acp/acp.ts")).acp({
        ...{ config, pool },
        ...(environment === undefined ? {} : { environment }),
        ...(frames === undefined ? {} : { frames }),
        ...(unlock === undefined ? {} : { unlock }),
      }),
    claude: async () => (await import("./claude/claude.ts")).claude(),
    codex: async () => (await import("./codex/codex.ts")).codex(),
    gemini: async () => (await import("./gemini/gemini.ts")).gemini(),
    github_copilot: async () => (await import("./github_copilot/github_copilot.ts")).githubCopilot(),
    mistral_vibe: async () => (await import("./mistral_vibe/mistral_vibe.ts")).mistralVibe(),
    openai_compatible: async () => (await import("./openai_compatible/openai_compatible.ts")).openaiCompatible(clock),
    opencode: async () => (await import("./opencode/opencode.ts")).opencode(),
    understudy: async () => (await import("./understudy/understudy.ts")).understudy(clock),
  };
  return Object.fromEntries(Object.entries(loads).map(([provider, load]) => [provider, once(load)]));
}

/** Asked for once: each turn of the module loader costs a step as much as a commit. */
function once(load: () => Promise<Agent>): () => Promise<Agent> {
  let agent: Promise<Agent> | null = null;
  return () => {
    agent ??= load().catch((error: unknown) => {
      agent = null; // I2
      throw error;
    });
    return agent;
  };
}
