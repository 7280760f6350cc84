/** What a workflow may say in `options:` of a `mistral_vibe` step. */
import type { OptionTable } from "../../../machines/workflow/option-table.ts";
import { choice, FLAG, LIST, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  agent: TEXT,
  dangerously_skip_permissions: FLAG,
  enabled_tools: LIST,
  disabled_tools: LIST,
  max_turns: { type: "number", whole: true },
  max_tokens: { type: "number", whole: true },
  max_price: { type: "number", whole: false },
  max_retry_seconds: { type: "number", whole: false, from: 0, to: 3600 },
  system_prompt_mode: choice("append", "replace"),
  env: MAP,
} as const satisfies OptionTable;

export type VibeOptions = OptionsOf<typeof OPTIONS>;
