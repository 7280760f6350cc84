/** The program behind each provider, and how it is got. */
import type { DescribedProvider } from "../../machines/workflow/providers.ts";

export type AgentProgram = {
  /** What it is called by people. */
  name: string;
  /** What is looked for in PATH. */
  command: string;
  /** The command that installs it. */
  install: string;
};

/** null: there is none, it is spoken to over the network. */
export const AGENT_PROGRAMS: { readonly [provider in DescribedProvider]: AgentProgram | null } = {
  claude: { name: "Claude Code", command: "claude", install: "npm install -g @anthropic-ai/claude-code" },
  codex: { name: "Codex", command: "codex", install: "npm install -g @openai/codex" },
  gemini: { name: "Gemini CLI", command: "gemini", install: "npm install -g @google/gemini-cli" },
  github_copilot: { name: "Copilot CLI", command: "copilot", install: "npm install -g @github/copilot" },
  opencode: { name: "OpenCode", command: "opencode", install: "npm install -g opencode-ai" },
  mistral_vibe: { name: "Mistral Vibe", command: "vibe", install: "pip install mistral-vibe" },
  openai_compatible: null,
};
