/** What a step machine computes and does not decide: results read, delays counted, children's births written. */
import type {
  LoopInput,
  ParallelInput,
  Prepared,
  PrepareInput,
  RunInput,
  RunSettled,
  StepInput,
  WorkInput,
  WorkResult,
} from "../contracts.ts";
import {
  type Born,
  type Caller,
  type Fault,
  type Json,
  type Origin,
  own,
  type Settled,
  type StateResult,
} from "../model.ts";
import type { Scope } from "../scope.ts";
import {
  type CallNode,
  DEFAULT_RETRY,
  isWork,
  type Recover,
  STEP_KINDS,
  type StepNode,
  type WorkNode,
} from "../workflow/document.ts";
import { afterConflict, type StepTree } from "../worktree/progress.ts";
import { withWorktree } from "../worktree/seen.ts";
import { standInOf } from "./stand-in.ts";

/** An attempt's end. `draw` in [0, 1) spreads a retry's delay. */
export type Judgement = Omit<Settled, "rounds"> & { draw: number; repair?: string; shown?: true; limited?: true };
export type Attempted = {
  birth: Born & StepInput;
  attempt: number;
  free: number;
  judgement: Judgement;
  tree?: StepTree;
};

export const needsPreparing = (node: StepNode): boolean => STEP_KINDS[node.type].runs === "prepared machine";

export const isContainer = (node: StepNode): boolean => !isWork(node);

/** What is reported of a failure that came without words. */
export const exitFault = (exitCode: number): Fault => ({
  code: "EXECUTION.COMMAND.FAILED",
  message: `ended with exit code ${exitCode}`,
});

/** Errors cross the host as `{ code, message }`: an Error is not JSON. */
export function faultOf(error: unknown): Fault {
  if (typeof error === "object" && error !== null && "message" in error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "SYSTEM.INTERNAL.UNMAPPED";
    return { code, message: String(error.message) };
  }
  return { code: "SYSTEM.INTERNAL.UNMAPPED", message: String(error) };
}

/** Whether a failed attempt is followed by another: an author's `retry` covers any failure with a listed exit code. */
export function mayRetry({ birth, attempt, free, judgement }: Attempted): boolean {
  const retry = birth.node.retry ?? DEFAULT_RETRY;
  if (judgement.outcome.status !== "failed" || attempt - free >= retry.maxAttempts) return false;
  return retry.exitCodes.length === 0 || retry.exitCodes.includes(judgement.outcome.exitCode);
}

/** Milliseconds before the attempt after `attempt`. */
export function backoffMs({ birth, attempt, free, judgement }: Attempted): number {
  const retry = birth.node.retry ?? DEFAULT_RETRY;
  const tried = attempt - free;
  if (retry.initialDelayMs === 0) return 0;
  const growth =
    retry.backoff === "exponential" ? retry.multiplier ** (tried - 1) : retry.backoff === "linear" ? tried : 1;
  const most = retry.maxDelayMs ?? Number.MAX_SAFE_INTEGER;
  const spread = 1 + retry.jitter * (2 * judgement.draw - 1);
  return Math.round(Math.min(Math.min(retry.initialDelayMs * growth, most) * spread, most));
}

/** What an interrupted attempt comes to: the step's own policy, or, where that is `ask`, what was answered. */
export function afterCrash(node: StepNode, asked: string): Recover {
  const policy = node.recover ?? STEP_KINDS[node.type].recover;
  return policy === "ask" ? (asked as Recover) : policy;
}

/** What a called workflow gave, by the names that its caller has for it; where it has none for one, by its own. */
function namedHere(outputs: RunSettled["outputs"], { outputs: names }: CallNode): RunSettled["outputs"] {
  const [named, others] = [new Map<string, Json>(), new Map<string, Json>()];
  for (const [name, value] of Object.entries(outputs)) {
    const here = own(names, name);
    if (here === undefined) others.set(name, value);
    else named.set(here, value);
  }
  return Object.fromEntries([...others, ...named]);
}

/** A child's answer, whichever kind it is, as this step's judgement. */
export function judged(node: StepNode, output: unknown): Judgement {
  const answer = output as WorkResult | Settled | RunSettled;
  if ("state" in answer)
    return {
      outcome: answer.outcome,
      left: null,
      states: { [node.name]: answer.state },
      draw: answer.draw,
      ...(answer.repair === undefined ? {} : { repair: answer.repair }),
      ...(answer.shown === undefined ? {} : { shown: answer.shown }),
      ...(answer.limited === undefined ? {} : { limited: answer.limited }),
    };
  const states = "states" in answer ? answer.states : {};
  const called = node.type === "call_workflow" && "outputs" in answer ? namedHere(answer.outputs, node) : null;
  const state: StateResult = {
    Output: called === null ? "" : JSON.stringify(called),
    Stderr: answer.outcome.error?.message ?? "",
    ExitCode: answer.outcome.exitCode,
    Status: answer.outcome.status,
    ...(called === null ? {} : { Response: called, JSON: called }),
    ...("rounds" in answer && answer.rounds !== undefined ? { Rounds: answer.rounds } : {}),
  };
  return {
    outcome: answer.outcome,
    left: "left" in answer ? answer.left : null,
    states: { ...states, [node.name]: state },
    ...("rest" in answer && answer.rest !== undefined ? { rest: answer.rest } : {}),
    draw: 0.5,
  };
}

/** What the owner hears. A step that was cut short leaves a result too, so that expressions can name it. */
export function settledOf({ birth, judgement, tree }: Pick<Attempted, "birth" | "judgement" | "tree">): Settled {
  const { outcome, left, states, rest } = judgement;
  const name = birth.node.name;
  const result: StateResult = own(states, name) ?? {
    Output: "",
    Stderr: outcome.error?.message ?? "",
    ExitCode: outcome.exitCode,
    Status: outcome.status,
  };
  const { isolation } = birth.node;
  const conflict = tree === undefined || isolation === undefined ? null : afterConflict(tree, isolation);
  const way = outcome.status === "cancelled" ? null : (left ?? conflict);
  const all = withWorktree({ ...states, [name]: result }, birth.node, tree);
  return { outcome, left: way, states: all, ...(rest === undefined ? {} : { rest }) };
}

export const prepareInput = (
  { birth: { origin, node, scope } }: { birth: StepInput },
  purpose: PrepareInput["purpose"],
): PrepareInput => ({ origin, node, scope, purpose });

type AttemptInput = {
  birth: Born & StepInput;
  attempt: number;
  conversation: string | null;
  said: string | null;
  repair: { words: string | null };
  guidance?: { added: string[] };
  standIn?: number;
};

export function workInput(context: AttemptInput): WorkInput {
  const { birth, attempt, conversation, said, repair, guidance } = context;
  const node = birth.node as WorkNode;
  const source = node.type === "agent" ? node.conversation?.continueFrom : null;
  const continued = source ? own(birth.scope.states, source)?.Conversation : undefined;
  const { origin, scope } = birth;
  const added = guidance === undefined || guidance.added.length === 0 ? {} : { added: guidance.added };
  const instead = standInOf(context);
  const from = conversation ?? (instead?.provider === undefined ? continued : undefined) ?? null;
  const given = { ...added, ...(instead === null ? {} : { instead }) };
  const input = { origin, node, scope, attempt, conversation: from, said, ...given };
  return repair.words === null ? input : { ...input, repair: repair.words };
}

type Container =
  | { type: "parallel"; input: ParallelInput }
  | { type: "loop"; input: LoopInput }
  | { type: "run"; id: string; input: RunInput };

/**
 * The birth of the machine that does a container's work. A later attempt has paths of its own: `fan@2/lint`. Each takes
 * over the same of an earlier run: what ended well there is not run again, whichever attempt it is.
 */
export function container(
  { origin: place, node, nodes, scope, keep, earlier }: StepInput,
  attempt: number,
  prepared: Prepared | null,
): Container {
  const origin = attempt === 1 ? place : { ...place, step: `${place.step}@${attempt}` };
  if (isWork(node)) throw new Error(`a ${node.type} step is no container`);
  switch (node.type) {
    case "parallel":
      return { type: "parallel", input: { origin, node, nodes, scope, keep } };
    case "for_each":
    case "while": {
      if (prepared?.type !== "loop") break;
      const { items, maxIterations } = prepared;
      const taken = earlier === undefined ? {} : { earlier };
      return { type: "loop", input: { origin, node, nodes, scope, items, maxIterations, keep, ...taken } };
    }
    case "call_workflow":
      if (prepared?.type !== "call") break;
      return { type: "run", id: prepared.run, input: calledRun(prepared, origin, place.step, scope) };
    case "ask":
      break;
    default:
      return node satisfies never;
  }
  throw new Error(`a ${node.type} step begins when its input was prepared`);
}

const calledRun = (
  { run, workflow, inputs, env }: Extract<Prepared, { type: "call" }>,
  origin: Origin,
  parentStep: string,
  scope: Scope,
): RunInput => ({
  id: run,
  workflow,
  inputs,
  env,
  context: scope.context,
  session: origin.session,
  turn: null,
  parentRun: origin.run,
  parentStep,
  parallel: origin.parallel,
  depth: origin.depth + 1,
  callers: callersOf(origin, scope),
  ...(scope.chosen === undefined ? {} : { chosen: scope.chosen }),
  ...(scope.tree === undefined ? {} : { tree: scope.tree }),
  ...(scope.budgets === undefined ? {} : { budgets: scope.budgets }),
});

/** The workflows above a run that a step of this scope calls. */
export const callersOf = ({ callers = [] }: Origin, { workflow, file }: Scope): Caller[] => [
  ...callers,
  { name: workflow.Name, file },
];
