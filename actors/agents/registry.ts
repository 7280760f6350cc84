/** Every provider by name: the one place to add one. A provider's code is loaded when a step first needs it. */
import type { Agent } from "./agent.ts";
import type { Clock } from "./understudy/clock.ts";

export type Agents = { readonly [provider: string]: () => Promise<Agent> };

/** Providers that workflows may name already and that cannot be run yet. */
export const PLANNED = ["codex", "gemini", "github_copilot", "opencode", "mistral_vibe", "openai_compatible"] as const;

export const isPlanned = (provider: string): boolean => (PLANNED as readonly string[]).includes(provider);

/** The agents of this process; `clock` paces those that need one. */
export function agentRegistry(clock: Clock): Agents {
  return {
    claude: async () => (await import("./claude/claude.ts")).claude(),
    understudy: async () => (await import("./understudy/understudy.ts")).understudy(clock),
  };
}
