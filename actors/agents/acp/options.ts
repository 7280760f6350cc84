/** What a workflow may say in `options:` of a step with an ACP agent. What it runs is the user's configuration. */
import type { Json } from "../../../machines/model.ts";
import type { OptionTable } from "../../../machines/workflow/option-table.ts";
import { checkedOptions as checked, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  agent: TEXT,
  model: TEXT,
  mode: TEXT,
  thought_level: TEXT,
  config: MAP,
  env: MAP,
} as const satisfies OptionTable;

export type AcpAgentOptions = OptionsOf<typeof OPTIONS>;

/** The options that are given. Throws a `TroupeError` for the first that is wrong. */
export const checkedOptions = (given: { readonly [name: string]: Json }): AcpAgentOptions =>
  checked("acp", OPTIONS, given);
