/** What a workflow may say in `options:` of a `codex` step. */
import { choice, FLAG, LIST, MAP, type OptionsOf, TEXT } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  effort: choice("minimal", "low", "medium", "high", "xhigh"),
  sandbox: choice("read-only", "workspace-write", "danger-full-access"),
  network_access: FLAG,
  web_search: choice("disabled", "cached", "live"),
  dangerously_skip_permissions: FLAG,
  add_dirs: LIST,
  env: MAP,
};
export type CodexOptions = OptionsOf<typeof OPTIONS>;
