/** The fields that steps of every kind have. */
import { z } from "zod";
import { SIZE_PATTERN } from "../duration.ts";
import { budget } from "./budget.ts";
import { choice, count, duration, flag, list, names, number, opt, record, stateName, text } from "./fields.ts";

export const hook = z.strictObject(
  {
    log: opt(text()).describe("Text to log; a template."),
    command: opt(text()).describe("A shell command; a template."),
  },
  { error: "a map with log or command" },
);
const hookList = (about: string) => opt(list(hook, "a list of hooks, each with log or command")).describe(about);
export const stepHooks = z.strictObject(
  {
    pre: hookList("Run before the step; a failure only warns."),
    post: hookList("Run after the step; a failure only warns."),
  },
  { error: "a map with pre and post" },
);
export const workflowHooks = z.strictObject(
  {
    workflow_start: hookList("Run before the first state; a failure ends the run."),
    workflow_end: hookList("Run when the run has completed."),
    workflow_error: hookList("Run when the run has failed; knows {{.error.Message}}."),
    workflow_cancel: hookList("Run when the run was cancelled."),
  },
  { error: "a map with workflow_start, workflow_end, workflow_error and workflow_cancel" },
);

export const retry = z.strictObject(
  {
    max_attempts: opt(count(1)).describe("Attempts in all, the first one included; 1 by default."),
    initial_delay: opt(duration()).describe("Wait before the second attempt; none by default."),
    max_delay: opt(duration()).describe("No wait is longer than this; no limit by default."),
    backoff: opt(choice(["constant", "linear", "exponential", ""])).describe(
      "How the wait grows; constant by default.",
    ),
    multiplier: opt(number(0)).describe("Factor of the exponential backoff; 2 by default."),
    jitter: opt(number(0, 1)).describe("Share of the wait that is drawn at random, 0 to 1; 0 by default."),
    retryable_exit_codes: opt(list(z.int({ error: "an exit code" }), "a list of exit codes")).describe(
      "Exit codes that are tried again; none means all but 0.",
    ),
  },
  { error: "a map, as {max_attempts: 3}" },
);

const EXIT_CODE = "an exit code from 1 to 255";
const exitCode = () => z.int({ error: EXIT_CODE }).min(1, { error: EXIT_CODE }).max(255, { error: EXIT_CODE });
export const inlineFailure = z.strictObject(
  {
    message: text().describe("What the run ends with; a template, shown as it is written where it cannot be rendered."),
    status: opt(exitCode()).describe("Exit code of the run; 3 by default."),
  },
  { error: "a map with message and status" },
);
export const transition = z.strictObject(
  {
    when: opt(text()).describe("A condition; without one the transition is always taken."),
    goto: stateName().describe("The state to go to."),
  },
  { error: "a map with when and goto" },
);
export const approval = z.strictObject(
  {
    message: opt(text()).describe("The question that is asked; a template."),
    on_deny: opt(choice(["skip", "error", "abort"])).describe(
      "What a no means; error by default. With skip the run continues at on_skip.",
    ),
    timeout: opt(duration()).describe("After this time without an answer it counts as a no; by default it waits."),
  },
  { error: "a map with message, on_deny and timeout" },
);
const wholeTree = {
  from: opt(text()).describe(
    "What the tree begins with: dirty (default), HEAD with what is not committed; head; or a commit; a template.",
  ),
  setup: opt(text()).describe("A command that runs once in the new tree, before the step; a template."),
  merge: opt(choice(["keep", "squash", "merge", "rebase", "discard"])).describe(
    "What becomes of the changes: keep (default) leaves them on their branch; every other asks first.",
  ),
  approve: opt(flag()).describe("false: a merge does not ask, where the user passed --allow-merge; true by default."),
};
const tree = {
  ...wholeTree,
  of: opt(text()).describe(
    "No new tree, but one that an earlier step has left: the name of that step, or the tree's branch; a template.",
  ),
  on_conflict: opt(stateName()).describe("The state to go to where a merge has conflicts; by default a question."),
};
const ISOLATION = "worktree, or a map with worktree and its fields";
const NO_FIELDS = "without any: isolation: worktree";
const isolationOf = <T extends z.ZodRawShape>(fields: T, error: string) =>
  z.strictObject({ worktree: opt(z.strictObject(fields, { error })).describe("A tree of git.") }, { error: ISOLATION });
export const isolation = isolationOf(tree, `a map with from, of, setup, merge, approve and on_conflict (${NO_FIELDS})`);
const wholeIsolation = isolationOf(wholeTree, `a map with from, setup, merge and approve (${NO_FIELDS})`);
/** Of a whole run. */
export const runIsolation = () => z.union([choice(["worktree"]), wholeIsolation], { error: ISOLATION });

const SIZE = "a size such as 10MB";
export const capture = z.strictObject(
  {
    stdout: opt(text()).describe("A name for the output; for readers only."),
    stderr: opt(text()).describe("A name for the error output; for readers only."),
    max_size: opt(
      z.union([z.number().min(0, { error: SIZE }), z.string().regex(SIZE_PATTERN, { error: SIZE })], { error: SIZE }),
    ).describe(
      "The most output that is kept, such as 10MB; by default 1 MiB of each stream, or what your configuration says.",
    ),
    encoding: opt(text()).describe("For readers only."),
  },
  { error: "a map with max_size" },
);

const SCHEMA = "a JSON Schema, or the path of a file with one";
export const outputSchema = () =>
  opt(z.union([z.string().min(1, { error: SCHEMA }), z.record(z.string(), z.unknown())], { error: SCHEMA }));

export const commonFields = {
  description: opt(text()).describe("What the step is for; shown as its title."),
  on_success: opt(stateName()).describe("The next state after success."),
  on_failure: opt(
    z.union([stateName(), inlineFailure], { error: "the name of a state, or a map with message and status" }),
  ).describe("The next state after a failure, or a message to end the run with."),
  on_skip: opt(stateName()).describe(
    "The next state after a no that skips the step; without one the run ends as skipped.",
  ),
  transitions: opt(list(transition, "a list of transitions, each with when and goto")).describe(
    "Tried in order; the first whose condition holds is taken, before on_success and on_failure.",
  ),
  continue_on_error: opt(flag()).describe("After a failure continue as after success; false by default."),
  timeout: opt(duration()).describe(
    "The longest each attempt may take; a bare number is seconds. By default an agent has 30 minutes, a called workflow 5, others no limit.",
  ),
  retry: opt(retry).describe("Try again after a failure."),
  hooks: opt(stepHooks).describe("What to do before and after the step."),
  depends_on: opt(names()).describe("States that must have completed before."),
  capture: opt(capture).describe("How output is kept."),
  recover: opt(choice(["rerun", "fail", "ask"])).describe(
    "What happens to an attempt that a crash cut off: rerun by default for what runs other steps, else ask.",
  ),
  approval: opt(z.union([flag(), approval], { error: "true, or a map with message, on_deny and timeout" })).describe(
    "Ask before the step runs; false by default.",
  ),
  isolation: opt(z.union([choice(["worktree"]), isolation], { error: ISOLATION })).describe(
    "worktree: the step works in a tree of git of its own; what it changes is on a branch of its own.",
  ),
  budget: opt(budget).describe(
    "What it may spend, with all below it: at or over a limit no agent's turn begins; no limit by default.",
  ),
  use_template: opt(text()).describe("A file of the templates folder that this step is made from."),
  parameters: opt(record()).describe("Values for the template's parameters."),
};
