// What docs/language.md says of each name that templates and conditions see.

/** Of a state that has run. */
export const STATE_NAMES = {
  Output: "what it wrote, or the agent's answer, without the newlines at its end",
  Stderr: "what a command wrote to standard error; of any other step, why it failed",
  ExitCode: "0 after a success; 128 and the signal's number where it was ended by one",
  Status: "`completed`, `failed`, `cancelled` or `skipped`",
  Response: "the answer as data: of an agent with `output_format: json`, an operation, a called workflow",
  JSON: "the same for an agent and a called workflow: its outputs by name",
  Data: "what an operation gave",
  Truncated: "whether Output or Stderr was longer than `capture.max_size` or `limits.kept_output_bytes`, and is cut",
  TokensUsed: "all tokens of the step's last turn: not of an answer that was mended, nor of earlier replies",
  TokensInput: "tokens that were read",
  TokensOutput: "tokens that were written",
  TokensEstimated: "whether the numbers are guessed",
  Worktree:
    "of a step in a tree of its own: its `branch`, `path`, `changed`, `commits`, `merged`, `conflicts`, `onto`, `base`, `overlaps` (each a `file`, and `with` whom)",
  Rounds: "of a loop whose rounds run by themselves: each round's item and results, in order",
  Edits: "the files that an agent changed: `Path`, `New`, and `Added` and `Removed` lines",
  StopReason: "why an agent's turn ended: `end_turn`, another reason that it tells, or the class of its failure",
  Tools: "the tools that an agent used, the first 100: `Title`, `Kind` and `Status`",
};
/** Of the run, its surroundings and the loop around a state. */
export const MEMBER_NAMES = {
  "workflow.ID": "the run's id",
  "workflow.Name": "the workflow's name",
  "workflow.CurrentState": "the state that is at work",
  "workflow.StartedAt": "when the run began (RFC 3339)",
  "workflow.Duration": "how long it has run, as `1m30s`; in templates only",
  "context.WorkingDir": "the run's folder",
  "context.User": "who runs it",
  "context.Hostname": "the machine",
  "error.Message": "in hooks of `workflow_error`: the message that its end has, or why the run failed",
  "error.State": "the state that it failed in",
  "error.ExitCode": "its exit code",
  "error.Type": "the class of the failure",
  "loop.Item": "in a loop: the item; in a `while` nothing; with `matrix` a map of the lists' names",
  "loop.Index": "the round, counted from 0",
  "loop.Index1": "the round, counted from 1",
  "loop.First": "whether it is the first round",
  "loop.Last": "whether it is the last one",
  "loop.Length": "the number of items; -1 in a `while`",
  "loop.Parent": "the loop around this one, or nothing",
  "awf.config_dir": "the user's configuration folder; all of `awf` in templates only",
  "awf.data_dir": "the user's data folder",
  "awf.cache_dir": "the user's cache folder",
  "awf.prompts_dir": "prompts: the first folder there is of the pack's, `.troupe`, `.awf` and the user's",
  "awf.scripts_dir": "scripts, likewise",
  "awf.skills_dir": "skills, likewise",
  "awf.roles_dir": "roles, likewise",
  "awf.workflows_dir": "workflows, likewise",
  "awf.plugins_dir": "plugins, likewise",
};

/** Spaces whose names are the workflow's own. */
export const OPEN_NAMES = {
  inputs: "a value by its name",
  env: "a variable of the environment",
  states: "a result, as above",
};
