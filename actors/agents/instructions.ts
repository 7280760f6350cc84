/**
 * The files with a repository's words for agents that each agent reads by itself, as seen with the real programs.
 *
 * I1. What stands here is what the program does, started as we start it; the tests with the real programs fail where
 *     it is no longer true.
 */
import { own } from "../../machines/model.ts";
import type { DescribedProvider } from "../../machines/workflow/providers.ts";
import type { AcpAgent } from "../config/settings.ts";

/** Files in which repositories say how agents are to work there; the first is the one that is meant for all. */
export const INSTRUCTION_FILES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"] as const;
type InstructionFile = (typeof INSTRUCTION_FILES)[number];

/** Of providers. */
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

/** The same of known agents that speak ACP, by their presets. Of any other it is not known, unless its user says so. */
export const ACP_READS: { readonly [preset: string]: readonly InstructionFile[] } = {
  "claude-agent-acp": ["CLAUDE.md"],
  "codex-acp": ["AGENTS.md"],
  gemini: ["GEMINI.md"],
  opencode: ["AGENTS.md"],
  copilot: ["AGENTS.md", "CLAUDE.md", "GEMINI.md"],
};

/** The files that an agent reads by itself; null where that is not known. `owned`: the user's own agent behind it. */
export function readsOf(
  provider: string,
  owned: Pick<AcpAgent, "reads" | "preset"> | undefined,
): readonly string[] | null {
  if (owned === undefined) return own<readonly string[]>(READS, provider) ?? null;
  const preset = owned.preset?.slice(0, Math.max(0, owned.preset.lastIndexOf("@"))) ?? "";
  return owned.reads ?? own<readonly string[]>(ACP_READS, preset) ?? null;
}
