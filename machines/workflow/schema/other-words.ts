/** Words of other workflow languages, and what they may be here; the first that may stand in the place counts. */
import { own } from "../../model.ts";

const OTHERS: { readonly [word: string]: readonly string[] } = {
  next: ["on_success", "goto"],
  goto: ["on_success"],
  to: ["goto"],
  target: ["goto"],
  run: ["command"],
  cmd: ["command"],
  exec: ["command"],
  shell: ["command"],
  script: ["command"],
  cwd: ["dir"],
  workdir: ["dir"],
  working_dir: ["dir"],
  working_directory: ["dir"],
  on_error: ["on_failure", "workflow_error"],
  on_fail: ["on_failure", "workflow_error"],
  on_failure: ["workflow_error"],
  on_exit: ["on_complete", "workflow_end", "post"],
  on_done: ["on_complete", "on_success", "workflow_end", "post"],
  on_start: ["workflow_start", "pre"],
  on_end: ["workflow_end", "post"],
  on_complete: ["workflow_end", "post"],
  on_success: ["workflow_end", "post"],
  on_finish: ["on_complete", "workflow_end", "post"],
  on_cancel: ["workflow_cancel"],
  on_abort: ["workflow_cancel"],
  ignore_errors: ["continue_on_error"],
  allow_failure: ["continue_on_error"],
  timeout_seconds: ["timeout"],
  depends: ["depends_on"],
  needs: ["depends_on"],
  if: ["when"],
  condition: ["when", "while"],
  with: ["inputs"],
  args: ["inputs"],
  arguments: ["inputs"],
  params: ["inputs", "parameters"],
  timezone: ["zone"],
  tz: ["zone"],
  steps: ["states", "body", "parallel"],
  tasks: ["states", "body", "parallel"],
  jobs: ["states"],
  stages: ["states"],
  do: ["body"],
  branches: ["parallel"],
  foreach: ["items"],
  in: ["items"],
  over: ["items"],
  parallel: ["max_concurrent"],
  max_workers: ["max_concurrent"],
  max_parallel: ["max_concurrent"],
  concurrency: ["max_concurrent"],
  parallelism: ["max_concurrent"],
  options: ["choices", "validation.enum", "questions.choices"],
  title: ["description"],
  message: ["prompt"],
  instructions: ["system_prompt"],
  system: ["system_prompt"],
  prompt: ["message"],
  question: ["questions", "prompt", "message"],
  before: ["pre", "workflow_start"],
  after: ["post", "workflow_end"],
  pre: ["workflow_start"],
  post: ["workflow_end"],
  end: ["workflow_end", "post"],
  error: ["workflow_error"],
  cancel: ["workflow_cancel"],
  cost: ["cost_usd"],
  turns: ["agent_turns"],
  attempts: ["max_attempts"],
  retries: ["max_attempts", "retry.max_attempts"],
  limit: ["max_attempts"],
  delay: ["initial_delay"],
  interval: ["initial_delay"],
  // What stands deeper.
  initial: ["states.initial"],
  start: ["states.initial", "workflow_start", "pre"],
  entrypoint: ["states.initial"],
  model: ["options.model"],
  allowed_tools: ["options.allowed_tools"],
  disallowed_tools: ["options.disallowed_tools"],
  tools: ["options.allowed_tools"],
  max_turns: ["options.max_turns"],
  max_tokens: ["options.max_tokens"],
  temperature: ["options.temperature"],
  permission_mode: ["options.permission_mode"],
  permissions: ["options.permissions"],
  continue_from: ["conversation.continue_from"],
  max_attempts: ["retry.max_attempts"],
  choices: ["questions.choices"],
  enum: ["validation.enum"],
  pattern: ["validation.pattern"],
  min: ["validation.min"],
  max: ["validation.max", "max_attempts"],
};
const OTHER_VALUES: { readonly [word: string]: string } = {
  failed: "failure",
  error: "failure",
  ok: "success",
  completed: "success",
  all: "all_succeed",
  any: "any_succeed",
  number: "integer",
  int: "integer",
  bool: "boolean",
  text: "string",
  str: "string",
  // Of a question; its choices say that it is one.
  choice: "string",
  select: "string",
  enum: "string",
  confirm: "boolean",
  cancel: "abort",
  stop: "abort",
  expo: "exponential",
  exp: "exponential",
  fixed: "constant",
  none: "constant",
};
/** Units of time as others write them out; a day is hours here. */
const UNITS: readonly (readonly [written: RegExp, unit: string, each: number])[] = [
  [/^(?:s|secs?|seconds?)$/, "s", 1],
  [/^(?:m|mins?|minutes?)$/, "m", 1],
  [/^(?:h|hrs?|hours?)$/, "h", 1],
  [/^(?:d|days?)$/, "h", 24],
];

/** The value that another language's word for it stands for here. */
export const meantValue = (given: string, choices: readonly string[]): string | null => {
  const word = own(OTHER_VALUES, given);
  return word !== undefined && choices.includes(word) ? word : null;
};
/** The field, or what stands below a field, that another language's name for it stands for where these fields may stand. */
export const meantField = (name: string, fields: readonly string[]): string | null =>
  own(OTHERS, name.toLowerCase().replaceAll("-", "_"))?.find((word) => fields.includes(word.split(".")[0] ?? "")) ??
  null;
/** The duration that is written out with its unit, as `5 minutes`. */
export function meantDuration(given: string): string | null {
  const [, amount, written] = /^(\d{1,6}) ?([a-z]+)$/i.exec(given.trim()) ?? [];
  const found = UNITS.find(([unit]) => written !== undefined && unit.test(written.toLowerCase()));
  return found === undefined ? null : `${Number(amount) * found[2]}${found[1]}`;
}
/** The list of one name or text, or of several with commas between them, that is written without its brackets. */
export const meantList = (given: string): string | null =>
  /^[\w./-]+(?:, ?[\w./-]+)*$/.test(given) ? `[${given}]` : null;
