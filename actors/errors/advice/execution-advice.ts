/** Causes and remedies of what went wrong while a run was at work. `troupe logs <run> --failed` shows the steps. */
import type { AdviceOf } from "./kinds.ts";

export const EXECUTION: AdviceOf<`EXECUTION.${string}`> = {
  "EXECUTION.COMMAND.FAILED": [
    "A command ended with an exit code other than 0.",
    "Its last lines say why; `troupe rerun --failed` does that step again.",
  ],
  "EXECUTION.COMMAND.TIMEOUT": [
    "A command took longer than its `timeout`.",
    "Give it more time, or find what it waits for.",
  ],
  "EXECUTION.COMMAND.NOT_FOUND": [
    "A program that a command calls is not there.",
    "Install it, or add its folder to PATH.",
  ],
  "EXECUTION.COMMAND.NOT_STARTED": [
    "The system would not start the command.",
    "Look at its folder, its rights, and the length of its arguments.",
  ],
  "EXECUTION.COMMAND.OUTPUT_LIMIT": [
    "A command wrote more than `max_output_bytes` allows, and was ended.",
    "Let it write less, or into a file; or raise that limit in the configuration.",
  ],
  "EXECUTION.PARALLEL.PARTIAL_FAILURE": [
    "Some branches failed.",
    "`troupe status` shows which; `strategy` says how many must succeed.",
  ],
  "EXECUTION.LOOP.PARTIAL_FAILURE": [
    "Some rounds failed.",
    "`troupe status` shows which; `strategy` says how many must succeed.",
  ],
  "EXECUTION.STEP.INTERRUPTED": [
    "A crash cut the step off.",
    "`troupe rerun <run> --failed` begins with that step. A resume asks first on a terminal; elsewhere `--recover=rerun` lets it run again.",
  ],
  "EXECUTION.STEP.TIMEOUT": [
    "What the step runs (a call, branches, rounds) took longer than its `timeout`.",
    "`troupe status` shows what was still at work; give the step more time.",
  ],
  "EXECUTION.STEP.DENIED": [
    "A person, or a rule, said no.",
    "Nothing was done. Give the step a way for that, or decide otherwise.",
  ],
  "EXECUTION.STEP.DEPENDENCY": ["A step that this one needs has failed.", "Mend that one first."],
  "EXECUTION.STEP.INVALID_SHAPE": [
    "What the step gave does not fit its `output_schema`.",
    "The message names each place; ask more plainly, raise `repair`, or loosen the schema.",
  ],
  "EXECUTION.BUDGET.NEAR": [
    "A budget is nearly spent: the share that `warn_at` names.",
    "Nothing stops yet; at the limit, what `on_budget` says is done.",
  ],
  "EXECUTION.BUDGET.REACHED": [
    "A limit of a budget is reached: no agent's turn begins.",
    "`troupe resume <run> --budget tokens=…` goes on with a higher limit; the message names it.",
  ],
  "EXECUTION.BUDGET.UNPRICED": [
    "A budget has a limit of cost, and what was used has no price.",
    "Give one under `prices` in the configuration, or limit tokens instead of cost.",
  ],
  "EXECUTION.RUN.FAILED": ["The run ended in a failure.", "`troupe status` shows where."],
  "EXECUTION.RUN.CANCELLED": ["The run was cancelled.", "Nothing is to be mended."],
  "EXECUTION.RUN.NO_WAY_ON": [
    "A step ended in a way for which no way on is written.",
    "Write `on_failure`, or a condition that holds.",
  ],
  "EXECUTION.RUN.SKIPPED": [
    "A no skipped a step, and nothing says where to go then: the run ended there.",
    "Give the step `on_skip`, or a transition whose `when` names `skipped`.",
  ],
  "EXECUTION.RUN.TOO_MANY_TRANSITIONS": [
    "The run went from step to step too often.",
    "Look for a circle, or use a loop with a bound.",
  ],
  "EXECUTION.HOOK.FAILED": ["A hook failed.", "Its output says why."],
  "EXECUTION.WORKTREE.UNSUPPORTED": [
    "The folder of the run cannot have worktrees.",
    "The message says what stands in the way; run the step without isolation, or mend that.",
  ],
  "EXECUTION.WORKTREE.FAILED": ["Git could not do what a worktree needs.", "The message has git's own words."],
  "EXECUTION.WORKTREE.SETUP_FAILED": ["The setup command of a worktree failed.", "Its output says why."],
  "EXECUTION.WORKTREE.NOT_MERGED": [
    "A step that merges a worktree has not merged it.",
    "The message says why; its branch is still there: `troupe worktrees list`.",
  ],
  "EXECUTION.WORKTREE.NOT_FOUND": [
    "There is no worktree of that name.",
    "`troupe worktrees list` shows those that are there; one without a change goes by itself.",
  ],
  "EXECUTION.OPERATION.FAILED": ["An operation failed.", "The message has what the other side said."],
  "EXECUTION.OPERATION.TIMEOUT": [
    "An operation took longer than its step's `timeout`.",
    "See whether the other side answers, or give the step more time.",
  ],
  "EXECUTION.AGENT.UNSUPPORTED": [
    "The agent cannot do what the step asks of it.",
    "Take another agent, or leave that option out: docs/agents.md.",
  ],
  "EXECUTION.AGENT.AUTH": [
    "The agent's service refused the key or the sign-in.",
    "Sign in again; `troupe doctor` says how.",
  ],
  "EXECUTION.AGENT.NO_CREDIT": [
    "The agent's service has no credit left for the account.",
    "Pay there, or take another provider; `fallback` does so by itself.",
  ],
  "EXECUTION.AGENT.RATE_LIMIT": [
    "The agent's service takes no more for now.",
    "Wait; `retry` with a backoff does so by itself.",
  ],
  "EXECUTION.AGENT.OVERLOADED": ["The agent's service has too much to do.", "Try later; `retry` does so by itself."],
  "EXECUTION.AGENT.NETWORK": [
    "The agent's service was not reached.",
    "Look at the network and at proxies; `retry` tries again.",
  ],
  "EXECUTION.AGENT.REFUSED": ["The agent or its model would not do it.", "Read what it said, and ask otherwise."],
  "EXECUTION.AGENT.CUT": ["The answer was cut off at a limit.", "Ask for less, or raise the limit."],
  "EXECUTION.AGENT.NOT_FOUND": [
    "The agent's program, model or session is not there.",
    "`troupe doctor` shows what is; mend the name.",
  ],
  "EXECUTION.AGENT.CRASHED": [
    "The agent's program ended before its answer, or answered what its protocol does not know.",
    "Its last lines say why; `troupe doctor` knows faults of versions.",
  ],
  "EXECUTION.AGENT.TIMEOUT": [
    "The agent took longer than it may.",
    "Give the step more `timeout`, or the agent less to do.",
  ],
  "EXECUTION.AGENT.INVALID_OUTPUT": [
    "The agent's answer has not the form that was asked for.",
    "Ask for the form more plainly; `retry` asks again.",
  ],
  "EXECUTION.CLIENT.REFUSED": ["The other side refused the request.", "The message has what it said."],
  "EXECUTION.CLIENT.CANCELLED": ["The request was cancelled.", "Nothing is to be mended."],
};
