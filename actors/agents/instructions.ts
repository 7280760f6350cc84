/**
 * The files with a repository's words for agents that each agent reads by itself, as seen with the real programs.
 *
 * I1. What stands here is what the program does, started as we start it; the tests with the real programs fail where
 *     it is no longer true.
 */
import type { DescribedProvider } from "../../machines/workflow/providers.ts";

/** Files in which repositories say how agents are to work there; the first is the one that is meant for all. */
export const INSTRUCTION_FILES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"] as const;
type InstructionFile = (typeof INSTRUCTION_FILES)[number];

export const READS: { readonly [provider in DescribedProvider]: readonly InstructionFile[] } = {
  claude: ["CLAUDE.md"],
  // It takes words from trusted folders alone, and none is where Troupe starts it.
  codex: [],
  gemini: ["GEMINI.md"],
  github_copilot: ["AGENTS.md", "CLAUDE.md", "GEMINI.md"],
  opencode: ["AGENTS.md"],
  mistral_vibe: [],
  openai_compatible: [],
};
