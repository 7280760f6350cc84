/** Names that mean something to all of this folder, without any code behind them. */

/** The MCP server that serves Troupe's own tools. */
export const TOOLS_SERVER = "troupe";

export const PROVIDERS = [
  "claude",
  "codex",
  "gemini",
  "github_copilot",
  "opencode",
  "mistral_vibe",
  "openai_compatible",
  "understudy",
  "acp",
] as const;

/** Whether a name is a provider's own, so that no configured agent may have it. */
export const isProvider = (name: string): boolean => (PROVIDERS as readonly string[]).includes(name);
