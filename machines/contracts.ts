/** What machines are born with and what effects are asked: the contracts between machines, in one place. */
import type { AskForm } from "./ask/form.ts";
import type { Allowance, Held, Limits } from "./budget/budget.ts";
import type { Block, FileEdit, Location, PermissionOption, RoundOf, StopReason, ToolKind } from "./exchange.ts";
import type { Caller, Earlier, Fault, Json, Key, Origin, Outcome, StateResult, TakenOver } from "./model.ts";
import type { Chosen, Scope, TreeScope } from "./scope.ts";
import type { Settings, Setup } from "./settings.ts";
import type {
  Fallback,
  Hook,
  LoopNode,
  Nodes,
  ParallelNode,
  Recover,
  StepNode,
  TemplateText,
  Workflow,
  WorkNode,
} from "./workflow/document.ts";
import type { StepTree, TreeDeed } from "./worktree/progress.ts";
import type { Isolation } from "./worktree/tree.ts";

/** How a step is asked to end or to continue. `resume.requested` carries who answers where a step's own policy is `ask`, and what limits of budgets are from now on. */
export type Control =
  | { type: "cancel.requested" }
  | { type: "resume.requested"; recover: Recover; budget?: Limits }
  /** The process that ran this has died: nothing begins by itself until the run is resumed. */
  | { type: "owner.lost" }
  /** All that is left waits for a person: time limits stand still. */
  | { type: "run.rested" }
  /** A person has answered: time limits begin anew. */
  | { type: "run.woken" };

export type StepInput = {
  origin: Origin;
  node: StepNode;
  /** The nodes below a container; empty otherwise. */
  nodes: Nodes;
  scope: Scope;
  /** A branch of which another one, that it depends on, has not completed: it is passed over. */
  passedOver?: true;
  /** Of a state in the body of a `for_each`. */
  round?: RoundOf;
  /** Of a loop that an earlier run has left undone. */
  earlier?: Earlier;
  /** The states whose results anything in the document reads: no container keeps others. Of work: none. */
  keep: Keep;
};
export type Keep = "all" | string[];

/** Asked of the effect `prepare`: what a container needs before it can begin, or an approval's question: its words and what the step would do, rendered. */
export type PrepareInput = { origin: Origin; node: StepNode; scope: Scope; purpose: "begin" | "approve" };
export type Prepared =
  /** `does`: what the step would run or send, by field. */
  | { type: "approval"; message: string | null; does: { [name: string]: Json } }
  | { type: "loop"; items: Json[] | null; maxIterations: number }
  | { type: "form"; form: AskForm }
  /** `run`: what the called run is named, once and for all. */
  | {
      type: "call";
      run: string;
      workflow: Workflow;
      inputs: { [name: string]: Json };
      env: { [name: string]: string };
    };

/** Asked of the effect `work`: one attempt of a command, agent or operation. */
export type WorkInput = {
  origin: Origin;
  node: WorkNode;
  scope: Scope;
  attempt: number;
  /** The provider's conversation to continue. */
  conversation: string | null;
  /** What a person said in a conversation, in the place of the prompt; `added`: what follows it, said while it worked. */
  said: string | null;
  added?: string[];
  /** What is wrong with its last answer in this conversation. */
  repair?: string;
  /** What takes the place of the step's own agent. */
  instead?: Fallback;
};
/** What running work may send its step: a question for a person, and that it no longer wants the answer. */
export type WorkAsks =
  | { type: "work.asked"; ask: string; question: PermissionQuestion }
  | { type: "work.withdrew"; ask: string };
/** What it hears back, once for each question that was put while it runs. */
export type WorkAnswered = { type: "work.answered"; ask: string; settled: PermissionSettled };
/** `draw` in [0, 1) spreads a retry's delay. `repair`: the words for the agent about an answer that does not fit its schema. `shown`: it has said or done something. `limited`: its provider lets it in later. */
export type WorkResult = {
  outcome: Outcome;
  state: StateResult;
  draw: number;
} & { repair?: string; shown?: true; limited?: true };
export type ParallelInput = { origin: Origin; node: ParallelNode; nodes: Nodes; scope: Scope; keep: Keep };
export type LoopInput = {
  origin: Origin;
  node: LoopNode;
  nodes: Nodes;
  scope: Scope;
  /** Null in a `while`. */
  items: Json[] | null;
  maxIterations: number;
  keep: Keep;
  earlier?: Earlier;
};
export type RunInput = {
  /** The run's id where the asker chose it; null lets the host choose. */
  id: string | null;
  workflow: Workflow;
  inputs: { [name: string]: Json };
  env: Scope["env"];
  context: Scope["context"];
  session: string;
  turn: string | null;
  parentRun: string | null;
  /** The path of the step that calls it. */
  parentStep?: string;
  parallel: boolean;
  /** How many `call_workflow`s are above. */
  depth: number;
  callers?: Caller[];
  chosen?: Chosen;
  /** The tree of the step that calls it. */
  tree?: TreeScope;
  /** The user's own; and those that hold where it is called. */
  budget?: Allowance;
  budgets?: Held[];
  taken?: TakenOver;
  standsOn?: string[];
};
/** What a run answers: its outcome, and the rendered `outputs` of its workflow. */
export type RunSettled = { outcome: Outcome; outputs: { [name: string]: Json } };

/** Asked of the effect `tree`: one git step of a tree of a step's own. */
export type TreeInput = {
  origin: Origin;
  /** The step's name, for messages. */
  name: string;
  isolation: Isolation;
  scope: Scope;
  do: TreeDeed;
  tree: StepTree;
};

/** Asked of the effect `conclude`: a terminal's message and the workflow's outputs, rendered. */
export type ConcludeInput = {
  origin: Origin;
  message: TemplateText | null;
  outputs: { [name: string]: TemplateText };
  scope: Scope;
};
export type Concluded = { message: string | null; outputs: { [name: string]: Json } };

/** Asked of the effect `hooks`: log lines and commands around a step or run, in order. */
export type HooksInput = {
  origin: Origin;
  hooks: Hook[];
  scope: Scope;
  /** True where the first failure is the last hook: nothing may be built on it. */
  stopAtFailure: boolean;
};
export type HooksResult = { fault: Fault | null };

/** A question with options, as far as its asker words it. */
export type PermissionQuestion = {
  title: string;
  kind: ToolKind;
  message: string;
  options: PermissionOption[];
  input: Json;
  /** What would be written. */
  edits?: FileEdit[];
  locations?: Location[];
  timeoutMs: number | null;
  /** Of a tool only; any other gate is asked each time. */
  gate?: ToolGate;
};
/**
 * What is decided of a tool before a person is asked. `digest` names the call where "always" is remembered, `agent` whose
 * it is; `rememberMs`: for how long, null for as long as the session.
 */
export type ToolGate = { tool: string; policy: Policy; digest: string; agent?: string; rememberMs?: number | null };
export type Policy = "allow" | "ask" | "deny";
export type PermissionInput = PermissionQuestion & {
  /** Null for a question of the turn itself. */
  run: string | null;
  step: string | null;
  /** The session that remembers what was answered for good; only a gate needs it. */
  session?: string;
};

/** `by`: what answered in a person's place, if anything did. `who`: the person, where that is known. */
export type PermissionSettled =
  | { outcome: "selected"; option: string; by?: "policy" | "memory"; who?: string }
  | { outcome: "cancelled" };

/** A file that a run will read: `digest` of its content, null where it cannot be read. */
export type NamedFile = { path: string; digest: string | null };
/** The directories that are not trusted yet, and the files that the run will read. */
export type Consented = { directories: string[]; files: NamedFile[] };

/** What a prompt asks for, as far as it can be read without the machines. */
export type Intent =
  | {
      type: "run";
      run: string | null;
      workflow: Workflow;
      inputs: { [name: string]: Json };
      env: Scope["env"];
      context: Scope["context"];
      /** `ask or once`: asked, and it may be run this time without being trusted. `consent`: what it is for; without it, the directory of the session. `standsOn`: the directories that are trusted for good by now. */
      trust: "trusted" | "ask" | "ask or once" | "refuse";
      consent?: Consented;
      standsOn?: string[];
      budget?: Allowance;
      taken?: TakenOver;
    }
  /** `command`: the workflow whose command the prompt is. */
  | { type: "explain"; text: string; stopReason: StopReason; fault: Fault; command?: string }
  | { type: "resume"; recover: Recover; budget?: Limits }
  /** `input`: the question it answers; without one it answers the oldest. `who`: the person, where that is known. */
  | { type: "answer"; text: string; input?: Key; who?: string | undefined };
/**
 * `text` is a prompt that is no command: it resumes an interrupted run, and means `otherwise` when there is none.
 * `unreadable` is one that can be passed to nothing here: it is no answer either, and what waits still waits.
 */
export type Prompt = {
  turn: string;
  blocks: Block[];
  asks:
    | Intent
    | { type: "text"; otherwise: Intent }
    | { type: "unreadable"; explanation: Extract<Intent, { type: "explain" }> };
  /** `title`: what a session without one is called from now on; masked, one line. `who`: who sent it, where that is known. */
  title?: string;
  who?: string;
};
/** `fork`: the session that this one continues under another name, with what was chosen there. */
export type SessionInput = {
  cwd: string;
  principal: string;
  setup?: Setup;
  fork?: { session: string; settings: Settings; title: string };
};
export type TurnInput = { turn: string; blocks: Block[]; ask: Intent; session: string; cwd: string };
export type TurnSettled = { stopReason: StopReason };
/** `keeps`: for good. */
export type TrustInput = Consented & { cwd: string; workflow: Workflow; keeps: boolean };
export type TrustSettled = { outcome: "granted" } | { outcome: "changed"; files: NamedFile[] };
