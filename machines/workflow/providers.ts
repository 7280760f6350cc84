/**
 * The one list of providers. Each table about providers is a record over it, so that a name that is added here
 * fails the compiler wherever something of it is missing.
 */
import { own } from "../model.ts";

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

/** Names under which others know a provider. */
const OTHERS: { readonly [name: string]: DescribedProvider } = {
  "claude-code": "claude",
  anthropic: "claude",
  "codex-cli": "codex",
  "gemini-cli": "gemini",
  google: "gemini",
  copilot: "github_copilot",
  vibe: "mistral_vibe",
  mistral: "mistral_vibe",
  openai: "openai_compatible",
  ollama: "openai_compatible",
};

/** The provider that another name stands for, or null. */
export const meantProvider = (name: string): DescribedProvider | null =>
  own(OTHERS, name.toLowerCase().replaceAll("_", "-")) ?? null;
