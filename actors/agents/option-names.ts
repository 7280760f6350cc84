/**
 * The options that each provider takes, for who checks a file before it is run. The understudy's are open, as are those
 * of agents that the user has configured.
 */
import type { DescribedProvider } from "../../machines/workflow/providers.ts";
import { OPTIONS as claude } from "./claude/options.ts";
import { OPTIONS as codex } from "./codex/options.ts";
import { OPTIONS as gemini } from "./gemini/options.ts";
import { OPTIONS as githubCopilot } from "./github_copilot/options.ts";
import { OPTIONS as mistralVibe } from "./mistral_vibe/options.ts";
import { OPTIONS as openaiCompatible } from "./openai_compatible/options.ts";
import { OPTIONS as opencode } from "./opencode/options.ts";
import type { OptionTable } from "./options.ts";

const TABLES: { readonly [provider in DescribedProvider]: OptionTable } = {
  claude,
  codex,
  gemini,
  github_copilot: githubCopilot,
  mistral_vibe: mistralVibe,
  openai_compatible: openaiCompatible,
  opencode,
};

/** The names of a provider's options. */
export const OPTION_NAMES: { readonly [provider: string]: readonly string[] } = Object.fromEntries(
  Object.entries(TABLES).map(([provider, table]) => [provider, Object.keys(table)]),
);
