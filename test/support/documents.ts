/** Small documents for tests of machines: whole nodes from the few fields that matter. */
import type { RunInput, StepInput } from "../../machines/contracts.ts";
import type { Origin, Outcome, Settled, StateResult, StateResults } from "../../machines/model.ts";
import type { Scope } from "../../machines/scope.ts";
import type {
  AgentNode,
  AskNode,
  AskQuestion,
  CallNode,
  CommandNode,
  ForEachNode,
  Node,
  Nodes,
  OperationNode,
  ParallelNode,
  Retry,
  StepNode,
  TerminalNode,
  WhileNode,
  Workflow,
} from "../../machines/workflow/document.ts";

const common = {
  transitions: [],
  onSuccess: null,
  onFailure: null,
  continueOnError: false,
  timeoutMs: null,
  retry: null,
  recover: null,
  approval: null,
  hooks: { pre: [], post: [] },
  dependsOn: [],
};
const loop = { body: [], maxIterations: 10, breakWhen: null, onComplete: null };

export const command = (name: string, more: Partial<CommandNode> = {}): CommandNode => ({
  ...common,
  type: "command",
  name,
  run: { command: "true" },
  dir: null,
  maxOutputBytes: null,
  ...more,
});
export const agent = (name: string, more: Partial<AgentNode> = {}): AgentNode => ({
  ...common,
  type: "agent",
  name,
  provider: "understudy",
  prompt: { text: "hello" },
  options: {},
  outputFormat: null,
  mode: "single",
  systemPrompt: null,
  role: null,
  skills: [],
  conversation: null,
  mcpProxy: null,
  ...more,
});
export const parallel = (name: string, branches: string[], more: Partial<ParallelNode> = {}): ParallelNode => ({
  ...common,
  type: "parallel",
  name,
  branches,
  strategy: "all_succeed",
  maxConcurrent: 0,
  ...more,
});
export const forEach = (name: string, body: string[], more: Partial<ForEachNode> = {}): ForEachNode => ({
  ...common,
  ...loop,
  type: "for_each",
  name,
  body,
  items: [],
  ...more,
});
export const whileNode = (name: string, test: string, body: string[], more: Partial<WhileNode> = {}): WhileNode => ({
  ...common,
  ...loop,
  type: "while",
  name,
  test,
  body,
  ...more,
});
export const call = (name: string, more: Partial<CallNode> = {}): CallNode => ({
  ...common,
  type: "call_workflow",
  name,
  workflow: "other",
  inputs: {},
  outputs: {},
  ...more,
});
export const operation = (name: string, more: Partial<OperationNode> = {}): OperationNode => ({
  ...common,
  type: "operation",
  name,
  operation: "http.request",
  inputs: {},
  ...more,
});
export const ask = (name: string, questions: AskQuestion[], more: Partial<AskNode> = {}): AskNode => ({
  ...common,
  type: "ask",
  name,
  message: null,
  questions,
  ...more,
});
export const terminal = (name: string, more: Partial<TerminalNode> = {}): TerminalNode => ({
  type: "terminal",
  name,
  status: "success",
  message: null,
  exitCode: 0,
  ...more,
});
export const retry = (more: Partial<Retry> = {}): Retry => ({
  maxAttempts: 3,
  initialDelayMs: 1_000,
  maxDelayMs: null,
  backoff: "constant",
  multiplier: 2,
  jitter: 0,
  exitCodes: [],
  ...more,
});

export const nodesOf = (...nodes: Node[]): Nodes => Object.fromEntries(nodes.map((node) => [node.name, node]));
/** A workflow of these states; the first one is its start. */
export const workflow = (nodes: Node[], more: Partial<Workflow> = {}): Workflow => ({
  name: "demo",
  tags: [],
  inputs: [],
  env: [],
  outputs: {},
  hooks: { start: [], end: [], error: [], cancel: [] },
  initial: nodes[0]?.name ?? "",
  states: nodesOf(...nodes),
  file: null,
  ...more,
});

export const ORIGIN: Origin = { run: "r1", step: "work", session: "s1", parallel: false, depth: 0 };
export const CONTEXT = { WorkingDir: "/project", User: "someone", Hostname: "here" };
export const SCOPE: Scope = {
  inputs: {},
  states: {},
  workflow: { ID: "r1", Name: "demo", StartedAt: 0 },
  loop: null,
  env: {},
  context: CONTEXT,
  file: null,
};
export const stepBirth = (node: StepNode, more: Partial<StepInput> = {}): StepInput => ({
  origin: ORIGIN,
  node,
  nodes: {},
  scope: SCOPE,
  keep: "all",
  ...more,
});
export const runBirth = (of: Workflow, more: Partial<RunInput> = {}): RunInput => ({
  id: "r1",
  workflow: of,
  inputs: {},
  env: {},
  context: CONTEXT,
  session: "s1",
  turn: "t1",
  parentRun: null,
  parallel: false,
  depth: 0,
  ...more,
});

export const OK: Outcome = { status: "completed", exitCode: 0 };
export const BAD: Outcome = {
  status: "failed",
  exitCode: 3,
  error: { code: "EXECUTION.COMMAND.FAILED", message: "no" },
};
export const STOPPED: Outcome = { status: "cancelled", exitCode: 130 };

/** What a state leaves behind, with its output. */
export const result = (outcome: Outcome, Output = ""): StateResult => ({
  Output,
  Stderr: "",
  ExitCode: outcome.exitCode,
  Status: outcome.status,
});
export const worked = (outcome: Outcome, Output = "", draw = 0.5) => ({
  outcome,
  state: result(outcome, Output),
  draw,
});
export const settled = (outcome: Outcome, states: StateResults = {}, left: string | null = null): Settled => ({
  outcome,
  left,
  states,
});
