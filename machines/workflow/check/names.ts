/** The names that templates and expressions may read. */
import { own } from "../../model.ts";
import type { Nodes } from "../document.ts";
import { meantName } from "../other-names.ts";

export const STATE_PROPERTIES = [
  ...["Output", "Stderr", "ExitCode", "Status", "Response", "JSON", "Data"],
  ...["Truncated", "TokensUsed", "TokensInput", "TokensOutput", "TokensEstimated", "Rounds", "Edits", "Worktree"],
  ...["StopReason", "Tools"],
] as const;

/** What a round of a loop has, of those that run by themselves. */
export const ROUND_PROPERTIES = ["Item", "Index", ...STATE_PROPERTIES] as const;

/** Members of the namespaces whose members are fixed. `env`, `inputs` and `states` are not among them. */
export const MEMBERS: { readonly [namespace: string]: readonly string[] } = {
  workflow: ["ID", "Name", "CurrentState", "StartedAt", "Duration"],
  context: ["WorkingDir", "User", "Hostname"],
  error: ["Message", "State", "ExitCode", "Type"],
  loop: ["Item", "Index", "Index1", "First", "Last", "Length", "Parent"],
  awf: [
    ...["config_dir", "data_dir", "cache_dir", "prompts_dir", "scripts_dir"],
    ...["skills_dir", "roles_dir", "workflows_dir", "plugins_dir"],
  ],
};

export const NAMESPACES = ["inputs", "states", "env", ...Object.keys(MEMBERS)] as const;

/** Case and underscores do not matter in conditions: `exit_code` is `ExitCode`. */
export const folded = (name: string): string => name.toLowerCase().replaceAll("_", "");

/** What a first name that is not known most likely means: an input, a state, or a word of another language. */
export function meantRoot(root: string, states: Nodes, inputs: ReadonlySet<string>): string | null {
  if (inputs.has(root)) return `inputs.${root}`;
  return own(states, root) === undefined ? meantName(root) : `states.${root}`;
}
