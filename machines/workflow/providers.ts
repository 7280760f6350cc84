/**
 * The one list of providers. Each table about providers is a record over it, so that a name that is added here
 * fails the compiler wherever something of it is missing.
 */

/** Providers whose abilities and options are known before a run. */
const DESCRIBED_PROVIDERS = [
  "claude",
  "codex",
  "gemini",
  "github_copilot",
  "opencode",
  "mistral_vibe",
  "openai_compatible",
] as const;
export type DescribedProvider = (typeof DESCRIBED_PROVIDERS)[number];

/** All providers; what the last two can do is said by a script, or by the agent that the user has configured. */
export const PROVIDERS = [...DESCRIBED_PROVIDERS, "understudy", "acp"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Whether a name is a provider's own, so that no configured agent may have it. */
export const isProvider = (name: string): boolean => (PROVIDERS as readonly string[]).includes(name);

/** The described providers as one text: `claude, codex, …`. */
export const PROVIDER_NAMES = DESCRIBED_PROVIDERS.join(", ");
