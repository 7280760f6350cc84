/** The shared vocabulary of machines: JSON, keys, and what a child reports to its owner. No behaviour. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The kinds of durable machine. One instance is one key. */
export const KINDS = ["session", "turn", "run", "step", "parallel", "loop", "permission", "input"] as const;
export type Kind = (typeof KINDS)[number];
export type Key = `${Kind}/${string}`;

/** What every durable machine learns at birth, besides its own input. `at`: milliseconds since the epoch. */
export type Born = { self: Key; parent: Key | null; at: number };

/** An error as data: what crosses between machines, steps and the log. */
export type Fault = { code: string; message: string };

/** How a step or a run ended. */
export type Status = "completed" | "failed" | "cancelled" | "skipped";
/** An end with its exit code, and the fault that lies behind a failure. */
export type Outcome = { status: Status; exitCode: number; error?: Fault };
export const COMPLETED: Outcome = { status: "completed", exitCode: 0 };
export const CANCELLED: Outcome = { status: "cancelled", exitCode: 130 };
/** The code of a run, or of a prompt before its run, that was cancelled. */
export const RUN_CANCELLED = "EXECUTION.RUN.CANCELLED";

/** What a state leaves behind for templates and expressions (`states.<name>.Output`). */
/** A file that was changed, and by how many lines. */
export type Edited = { Path: string; New: boolean; Added: number; Removed: number };
/** A tool that an agent used: what it was called, its kind, and how it ended. */
export type UsedTool = { Title: string; Kind: string; Status: string };
export type StateResult = {
  Output: string;
  Stderr: string;
  ExitCode: number;
  Status: Status | "skipped";
  Response?: Json;
  JSON?: Json;
  Data?: Json;
  /** Output or Stderr did not fit its limit: what is here is the head. */
  Truncated?: boolean;
  TokensInput?: number;
  TokensOutput?: number;
  TokensUsed?: number;
  TokensEstimated?: boolean;
  /** The provider's conversation, for a later step's `continue_from`. */
  Conversation?: string;
  /** The name that its conversation goes by, whose it is, and the how manieth turn of it this was. */
  Session?: { name: string; agent: string; turn: number };
  /** The files that an agent has changed. */
  Edits?: Edited[];
  /** Why an agent's last turn ended: `end_turn`, another reason of its own, or the class of its failure. */
  StopReason?: string;
  /** The tools that an agent used, in their order; the first of very many. */
  Tools?: UsedTool[];
  /** Of a `for_each` whose rounds run at once, in the order of its items. */
  Rounds?: RoundResult[];
  /** Of a step that worked in a tree of its own. */
  Worktree?: WorktreeResult;
};
/**
 * `branch` and `path` are empty where the tree has gone. `conflicts`: the files by which a merge was stopped. `onto`: the
 * branch that was checked out when the tree was made. `overlaps`: files that another branch of a `parallel`, or another
 * round, has changed in its tree too.
 */
export type WorktreeResult = {
  branch: string;
  path: string;
  changed: string[];
  commits: string[];
  merged: boolean;
  conflicts: string[];
  onto?: string;
  /** The commit that the tree began with. */
  base?: string;
  overlaps?: { file: string; with: string[] }[];
};
/**
 * What a loop has left undone, for a run that does it again: of which items, up to which round (`next`), and which
 * before that are to run again. `states`: of one in order, what the rounds before had left.
 */
export type LoopRest = {
  items: Json[] | null;
  /** What its rounds are called after their items, where the items themselves were not kept. */
  labels?: (string | null)[];
  next: number;
  again: number[];
  states: StateResults;
};
/** What a run takes over of an earlier one, which it does again from a state on. */
export type TakenOver = {
  run: string;
  /** Null: it begins at the beginning, and takes nothing. */
  from: string | null;
  /** The round of that state, a loop, that was asked for: its address. */
  round?: string;
  /** The steps that are not run again, and the results of their states, as far as something reads them. */
  steps: string[];
  states: StateResults;
  earlier?: Earlier;
  /** What does not fit the document any more, and is taken over all the same. */
  differs?: string[];
};
/** A loop that an earlier run has left undone, with what its rounds have left. */
export type Earlier = { rest: LoopRest; rounds: RoundResult[] };
/** How a round ended, with what the state that it ended with has left. */
export type RoundResult = StateResult & { Item: Json; Index: number };
export type StateResults = { [state: string]: StateResult };

/**
 * What every child of a run, loop, parallel or step answers. `left` names the state at which control left
 * a loop or branch; `states` is the delta its owner may keep; `rounds` are those of a loop that fans out. Children
 * report, owners decide.
 */
export type Settled = {
  outcome: Outcome;
  left: string | null;
  states: StateResults;
  rounds?: RoundResult[];
  rest?: LoopRest;
};

/** Where a row of the log comes from: the run and the path of the step within it. */
export type Origin = {
  run: string;
  step: string;
  /** The session key's own id, for steps that open something on its behalf. */
  session: string;
  /** True below a `parallel` of the document, callers included: such a step shows its text in its own card. */
  parallel: boolean;
  /** How many `call_workflow`s are above the run. */
  depth: number;
  /** The workflows whose calls those are, outermost first; absent where there is none. */
  callers?: Caller[];
};
/** A workflow that calls another. */
export type Caller = { name: string; file: string | null };

/** The part of the key behind the slash. */
export const idOf = (key: Key): string => key.slice(key.indexOf("/") + 1);

/** Own property or undefined: names of states and inputs are chosen by authors, `constructor` is one of them. */
export const own = <T>(record: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
