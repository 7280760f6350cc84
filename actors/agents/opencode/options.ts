/** What a workflow may say in `options:` of an `opencode` step. */
import type { OptionTable } from "../../../machines/workflow/option-table.ts";
import { choice, FLAG, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  agent: TEXT,
  variant: TEXT,
  dangerously_skip_permissions: FLAG,
  permission: MAP,
  system_prompt_mode: choice("append", "replace"),
  max_retries: { type: "number", whole: true, from: 0, to: 100 },
  env: MAP,
} as const satisfies OptionTable;

export type OpencodeOptions = OptionsOf<typeof OPTIONS>;
