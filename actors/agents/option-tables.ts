/**
 * The options that each provider takes, for who checks a file before it is run. The understudy's are open.
 */
import type { OptionTable } from "../../machines/workflow/option-table.ts";
import type { DescribedProvider } from "../../machines/workflow/providers.ts";
import { OPTIONS as acp } from "./acp/options.ts";
import { OPTIONS as claude } from "./claude/options.ts";
import { OPTIONS as codex } from "./codex/options.ts";
import { OPTIONS as gemini } from "./gemini/options.ts";
import { OPTIONS as githubCopilot } from "./github_copilot/options.ts";
import { OPTIONS as mistralVibe } from "./mistral_vibe/options.ts";
import { OPTIONS as openaiCompatible } from "./openai_compatible/options.ts";
import { OPTIONS as opencode } from "./opencode/options.ts";

export const OPTION_TABLES: { readonly [provider in DescribedProvider | "acp"]: OptionTable } = {
  acp,
  claude,
  codex,
  gemini,
  github_copilot: githubCopilot,
  mistral_vibe: mistralVibe,
  openai_compatible: openaiCompatible,
  opencode,
};
