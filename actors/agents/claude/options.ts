/** What a workflow may say in `options:` of a `claude` step. */
import type { Json } from "../../../machines/model.ts";
import type { OptionTable } from "../../../machines/workflow/option-table.ts";
import { checkedOptions as checked, choice, FLAG, LIST, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  fallback_model: TEXT,
  effort: choice("low", "medium", "high", "xhigh", "max"),
  permission_mode: choice("default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"),
  dangerously_skip_permissions: FLAG,
  tools: LIST,
  allowed_tools: LIST,
  disallowed_tools: LIST,
  add_dirs: LIST,
  strict_mcp_config: FLAG,
  system_prompt_mode: choice("append", "replace"),
  setting_sources: LIST,
  max_turns: { type: "number", whole: true },
  max_budget_usd: { type: "number", whole: false },
  env: MAP,
} as const satisfies OptionTable;

export type OptionName = keyof typeof OPTIONS;
export type ClaudeOptions = OptionsOf<typeof OPTIONS>;

/** The options that are given. Throws a `TroupeError` for the first that is wrong. */
export const checkedOptions = (given: { readonly [name: string]: Json }): ClaudeOptions =>
  checked("claude", OPTIONS, given);
