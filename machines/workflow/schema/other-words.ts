/** Words of other workflow languages, and what they may be here; the first that may stand in the place counts. */
import { own } from "../../model.ts";

const OTHERS: { readonly [word: string]: readonly string[] } = {
  next: ["on_success"],
  goto: ["on_success"],
  run: ["command"],
  cmd: ["command"],
  script: ["command"],
  cwd: ["dir"],
  working_dir: ["dir"],
  on_error: ["on_failure"],
  depends: ["depends_on"],
  needs: ["depends_on"],
  if: ["when"],
  condition: ["when"],
  steps: ["states", "body"],
  jobs: ["states"],
  do: ["body"],
  branches: ["parallel"],
  options: ["choices"],
  cost: ["cost_usd"],
  turns: ["agent_turns"],
  // What stands deeper.
  model: ["options.model"],
  permissions: ["options.permissions"],
  continue_from: ["conversation.continue_from"],
  max_attempts: ["retry.max_attempts"],
};
const OTHER_VALUES: { readonly [word: string]: string } = {
  failed: "failure",
  error: "failure",
  ok: "success",
  completed: "success",
  all: "all_succeed",
  any: "any_succeed",
};

/** The value that another language's word for it stands for here. */
export const meantValue = (given: string, choices: readonly string[]): string | null => {
  const word = own(OTHER_VALUES, given);
  return word !== undefined && choices.includes(word) ? word : null;
};
/** The field, or what stands below a field, that another language's name for it stands for where these fields may stand. */
export const meantField = (name: string, fields: readonly string[]): string | null =>
  own(OTHERS, name)?.find((word) => fields.includes(word.split(".")[0] ?? "")) ?? null;
