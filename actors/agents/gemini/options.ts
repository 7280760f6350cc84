/** What a workflow may say in `options:` of a `gemini` step. */
import { choice, FLAG, LIST, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  approval_mode: choice("default", "auto_edit", "yolo", "plan"),
  dangerously_skip_permissions: FLAG,
  allowed_tools: LIST,
  add_dirs: LIST,
  sandbox: FLAG,
  system_prompt_mode: choice("append", "replace"),
  max_retries: { type: "number", whole: true, from: 0, to: 100 },
  env: MAP,
} as const;
export type GeminiOptions = OptionsOf<typeof OPTIONS>;
