/**
 * A workflow document: validated data, never code. States are flat and named, as in AWF.
 * Templates and expressions are kept as their source text; who uses them parses them.
 *
 * I1. A document is JSON and complete: every name that a node goes to exists in `states`.
 * I2. An inline `on_failure: {message, status}` is a hidden terminal `__inline_error_<state>`.
 */
import type { Allowance } from "../budget/budget.ts";
import type { Json } from "../model.ts";
import type { Starts } from "../schedule/starts.ts";
import type { Isolation } from "../worktree/tree.ts";

/** Text with `{{…}}` in it. */
export type TemplateText = string;
/** A condition or arithmetic in the expression language. */
export type ExpressionText = string;

export type Transition = { when?: ExpressionText; goto: string };
export type Strategy = "all_succeed" | "any_succeed" | "best_effort";
export type Hook = { log: TemplateText } | { command: TemplateText };
export type Retry = {
  maxAttempts: number;
  initialDelayMs: number;
  maxDelayMs: number | null;
  backoff: "constant" | "linear" | "exponential";
  multiplier: number;
  /** Share of the delay that is drawn at random, 0 to 1. */
  jitter: number;
  /** Exit codes that are tried again; empty means all but 0. */
  exitCodes: number[];
};
/** What becomes of an attempt that a crash cut off. */
export type Recover = "rerun" | "fail" | "ask";
export type Approval = { message: TemplateText | null; onDeny: "skip" | "error" | "abort"; timeoutMs: number | null };

/** What an answer must be like, a JSON Schema. `file`: the file beside the workflow that it was read from. */
export type OutputSchema = { schema: Json; file?: string };

type Common = {
  name: string;
  description?: string;
  transitions: Transition[];
  onSuccess: string | null;
  onFailure: string | null;
  /** Where the run goes after a no to a step that is skipped then (`on_deny: skip`). */
  onSkip?: string;
  continueOnError: boolean;
  timeoutMs: number | null;
  retry: Retry | null;
  recover: Recover | null;
  approval: Approval | null;
  hooks: { pre: Hook[]; post: Hook[] };
  dependsOn: string[];
  /** The step works in a tree of its own. */
  isolation?: Isolation;
  /** What it may spend, with all below it. */
  budget?: Allowance;
  /** Where the state stands in its file, 1-based. */
  line?: number;
};

export type CommandNode = Common & {
  type: "command";
  run: { command: TemplateText } | { scriptFile: TemplateText };
  dir: TemplateText | null;
  /** Bytes of output kept for templates. */
  maxOutputBytes: number | null;
  /** Of what it writes to standard output. */
  outputSchema?: OutputSchema;
};
/** Another provider, another model of the same one, or both. `options`: in the place of the step's own. */
export type Fallback = { provider?: TemplateText; model?: TemplateText; options?: { [name: string]: Json } };
export type AgentNode = Common & {
  type: "agent";
  provider: TemplateText;
  prompt: { text: TemplateText } | { file: TemplateText };
  options: { [name: string]: Json };
  outputFormat: "json" | "text" | null;
  outputSchema?: OutputSchema;
  /** How often an answer that does not fit its schema goes back to the agent. */
  repair?: number;
  /** What takes its place, in this order, where its provider fails it or it has spent its budget. */
  fallback?: Fallback[];
  /** Also where it has said or done something before it failed. */
  fallbackAfterOutput?: true;
  mode: "single" | "conversation";
  systemPrompt: TemplateText | null;
  role: TemplateText | null;
  skills: Json[];
  /** `null`: the step's conversation is not kept for others. */
  conversation: { continueFrom: string | null } | null;
  mcpProxy: Json;
  /** The name of the conversation that it shares with others; without one it is isolated. */
  session?: string;
  /** What the user must grant before the run begins, by kinds of tools. */
  requires?: { [kind: string]: "allow" | "ask" };
  /** `timeout: 0`: not even the limit that agents have by default. */
  limit?: "none";
  mcpServers?: McpServers;
};
export type OperationNode = Common & {
  type: "operation";
  operation: string;
  inputs: { [name: string]: Json };
  mcpServers?: McpServers;
};
/** The operation that does nothing but merge the tree of an earlier step: its `isolation` says which and how. */
export const MERGE_OPERATION = "worktree.merge";
export const isMerge = (node: Node): boolean => node.type === "operation" && node.operation === MERGE_OPERATION;
export type CallNode = Common & {
  type: "call_workflow";
  workflow: TemplateText;
  inputs: { [name: string]: Json };
  outputs: { [name: string]: string };
};
export type ParallelNode = Common & { type: "parallel"; branches: string[]; strategy: Strategy; maxConcurrent: number };
type Loop = {
  body: string[];
  maxIterations: number | TemplateText;
  breakWhen: ExpressionText | null;
  onComplete: string | null;
};
/** How rounds run at once: each by itself, so many at a time (0: all), judged together. `cuts`: a bound is written. */
export type Fanned = { strategy: Strategy; maxConcurrent: number; cuts?: true };
/** `matrix`: every combination of one of each list, the last changing fastest; `items` is empty then. */
export type ForEachNode = Common &
  Loop & {
    type: "for_each";
    items: TemplateText | Json[];
    matrix?: { [name: string]: TemplateText | Json[] };
    fanned?: Fanned;
  };
export type WhileNode = Common & Loop & { type: "while"; test: ExpressionText };
export type AskChoice = { value: string; label?: string };
/** One question, as the file words it. `choices`: a list, or a template that gives one. */
export type AskQuestion = {
  name: string;
  prompt: TemplateText;
  type: InputType;
  required: boolean;
  default?: Json;
  choices?: TemplateText | AskChoice[];
  validation: Pick<Input["validation"], "pattern" | "min" | "max">;
};
export type AskNode = Common & { type: "ask"; message: TemplateText | null; questions: AskQuestion[] };
export type TerminalNode = {
  type: "terminal";
  name: string;
  status: "success" | "failure";
  message: TemplateText | null;
  exitCode: number;
  line?: number;
};

export type LoopNode = ForEachNode | WhileNode;
/** `mcp_servers` of the workflow, as the file writes them: templates, rendered when a step needs a server. */
export type McpServers = { [name: string]: Json };

/** Nodes whose work is an effect outside the machines. */
export type WorkNode = CommandNode | AgentNode | OperationNode;
/** Nodes whose work is another machine: other steps, another run, or questions to a person. */
export type MachineNode = ParallelNode | LoopNode | CallNode | AskNode;
export type StepNode = WorkNode | MachineNode;
export type Node = StepNode | TerminalNode;
export type Nodes = { [name: string]: Node };

export type InputType = "string" | "integer" | "boolean";
/** An input of a workflow, as its file declares it. */
export type Input = {
  name: string;
  type: InputType;
  description?: string;
  required: boolean;
  default?: Json;
  validation: {
    pattern?: string;
    enum?: string[];
    min?: number;
    max?: number;
    fileExists?: boolean;
    fileExtension?: string[];
  };
};

/** A workflow as it is run: a file that was read, checked, and brought into one form. `id`: what its directory lists it as, where that is not `name`. */
export type Workflow = {
  name: string;
  id?: string;
  description?: string;
  version?: string;
  author?: string;
  tags: string[];
  inputs: Input[];
  env: string[];
  outputs: { [name: string]: TemplateText };
  /** What a run of it may spend, with all that it calls. */
  budget?: Allowance;
  mcpServers?: McpServers;
  /** No MCP host sees it. Without it hosts do, where the directory is trusted. */
  mcp?: { expose: false };
  hooks: { start: Hook[]; end: Hook[]; error: Hook[]; cancel: Hook[] };
  /** The whole run works in a tree of its own. */
  isolation?: Isolation;
  /** What starts it by itself, where the user has enabled that. */
  on?: Starts;
  initial: string;
  states: Nodes;
  /** The file it was read from, absolute; null for one built in memory. */
  file: string | null;
  /** It stands in one of AWF's places, where what AWF passes over is only a warning. */
  awf?: true;
};

/**
 * What the machines must know of a kind of step. `runs`: its work is an effect, or a machine that begins at once or when
 * its input was prepared. `recover`: what becomes of it after a crash where the file says nothing.
 */
type KindTraits<N extends StepNode> = {
  runs: N extends WorkNode ? "work" : "machine" | "prepared machine";
  recover: Recover;
};
export const STEP_KINDS: { readonly [N in StepNode as N["type"]]: KindTraits<N> } = {
  command: { runs: "work", recover: "ask" },
  agent: { runs: "work", recover: "ask" },
  operation: { runs: "work", recover: "ask" },
  parallel: { runs: "machine", recover: "rerun" },
  for_each: { runs: "prepared machine", recover: "rerun" },
  while: { runs: "prepared machine", recover: "rerun" },
  call_workflow: { runs: "prepared machine", recover: "rerun" },
  ask: { runs: "prepared machine", recover: "rerun" },
};
export const isWork = (node: Node): node is WorkNode =>
  node.type !== "terminal" && STEP_KINDS[node.type].runs === "work";

/** What the name of a hidden terminal begins with (I2). */
export const INLINE_ERROR = "__inline_error_";
/** The exit code of a run that ends in a failure without a `status` of its own. */
export const FAILURE_EXIT = 3;
export const DEFAULT_REPAIR = 2;
export const DEFAULT_MAX_ITERATIONS = 100;
export const MAX_ITERATIONS = 10_000;
export const DEFAULT_RETRY: Retry = {
  maxAttempts: 1,
  initialDelayMs: 0,
  maxDelayMs: null,
  backoff: "constant",
  multiplier: 2,
  jitter: 0,
  exitCodes: [],
};
