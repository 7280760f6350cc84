/** What a workflow may say in `options:` of a `github_copilot` step. */
import type { OptionTable } from "../../../machines/workflow/option-table.ts";
import { choice, FLAG, LIST, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  effort: choice("none", "minimal", "low", "medium", "high", "xhigh", "max"),
  mode: choice("interactive", "plan", "autopilot"),
  agent: TEXT,
  allowed_tools: LIST,
  denied_tools: LIST,
  available_tools: LIST,
  excluded_tools: LIST,
  allow_all: FLAG,
  dangerously_skip_permissions: FLAG,
  add_dirs: LIST,
  env: MAP,
} as const satisfies OptionTable;

export type CopilotOptions = OptionsOf<typeof OPTIONS>;
