/**
 * Where a run stands in its document, as a pure reducer: `begin` and `settle` return the position and what comes next.
 *
 * I1. One state is current at a time; parallelism lives in the containers below it.
 * I2. The number of states entered is limited, so that a cycle without an exit ends as a fault.
 */
import { ofRun } from "../budget/budget.ts";
import type { RunInput } from "../contracts.ts";
import { added, pickOf, type Results } from "../kept-results.ts";
import type { Earlier, TakenOver } from "../model.ts";
import {
  type Born,
  CANCELLED,
  COMPLETED,
  type Fault,
  type Json,
  type LoopRest,
  type Outcome,
  own,
  type Settled,
} from "../model.ts";
import { pick, type Scope } from "../scope.ts";
import { FAILURE_EXIT, INLINE_ERROR, type StepNode, type TemplateText, type Workflow } from "../workflow/document.ts";
import { type Reads, stateReads, workflowReads } from "../workflow/reads.ts";
import { freshOf, noWayOn, type Route, route, skippedAt } from "../workflow/route.ts";
import type { StepTree } from "../worktree/progress.ts";
import { type EnteredStates, hasEntered, withEntered } from "./entered.ts";

export type Position = Results & {
  hops: number;
  /** The states that were entered. */
  entered: EnteredStates;
  /** How often those were entered that were entered again. */
  visits: { [state: string]: number };
  /** Warnings of conditions that have been given: each is given once. */
  warned: string[];
  /** What loops have left undone, by their names. */
  rests?: { [state: string]: LoopRest };
  where: Where;
};
/**
 * Before the first state of the document, in one, or at the end. `last`: the state that was entered last, if one was.
 * `message`: what the end says, not rendered yet.
 */
export type Where =
  | { at: "start" }
  | { at: "state"; name: string }
  | { at: "end"; last: string | null; outcome: Outcome; message: TemplateText | null };
/** `start`: run this state next. `warnings` become notices. */
export type Move = { position: Position; start: Entry | null; warnings: string[] };
/** `earlier`: what another run has left of the loop that begins. */
export type Entry = { name: string; path: string; earlier?: Earlier };
export type RunBirth = Born & RunInput & { self: `run/${string}` };
export type RunContext = {
  birth: RunBirth;
  position: Position;
  message: string | null;
  outputs: { [name: string]: Json };
  /** The tree of the whole run, as far as it was made. */
  tree?: StepTree;
  /** Where it stood before it went into that. */
  home?: Pick<RunBirth, "context" | "tree">;
};

/** The run where it was begun, outside of a tree of its own. */
export const atHome = ({ birth, home }: Pick<RunContext, "birth" | "home">): RunBirth => {
  if (home === undefined) return birth;
  const { tree: _, ...rest } = birth;
  return { ...rest, ...home };
};

export const MAX_HOPS = 10_000;
export const NOWHERE: Position = {
  hops: 0,
  entered: [],
  visits: {},
  states: {},
  warned: [],
  where: { at: "start" },
};

export function begin(workflow: Workflow, taken?: TakenOver): Move {
  if (taken === undefined) return enter(workflow, NOWHERE, workflow.initial);
  const move = enter(workflow, { ...NOWHERE, states: taken.states }, taken.from ?? workflow.initial);
  const { earlier } = taken;
  return move.start === null || earlier === undefined ? move : { ...move, start: { ...move.start, earlier } };
}

/** With what a state has left that is not judged: the run was cancelled meanwhile. */
export const keptOf = ({ workflow }: RunBirth, from: Position, settled: Settled): Position => ({
  ...from,
  ...added(from, pick(settled.states, workflowReads(workflow))),
  ...restsOf(from, settled),
});

/** A loop that leaves something undone says so with each of its ends. */
function restsOf({ rests = {}, where }: Position, { rest }: Settled): Pick<Position, "rests"> {
  const ended = (where.at === "state" ? where.name : where.at === "end" ? where.last : null) ?? "";
  const { [ended]: known, ...others } = rests;
  if (rest === undefined) return known === undefined ? {} : { rests: others };
  return { rests: { ...others, [ended]: rest } };
}

/** After the current state has settled. */
export function settle(birth: RunBirth, from: Position, settled: Settled): Move {
  const { workflow } = birth;
  const node = from.where.at === "state" ? own(workflow.states, from.where.name) : undefined;
  const kept = keptOf(birth, from, settled);
  const { outcome } = settled;
  if (outcome.status === "cancelled" || node === undefined || node.type === "terminal") {
    return over(kept, outcome);
  }
  const scope = scopeOf(birth, kept, stateReads(node, workflow.states));
  const seen = { ...scope, states: { ...scope.states, ...settled.states } };
  const routed = route(node, outcome, settled.left, seen);
  const { fresh, given } = freshOf(routed.warnings, from.warned);
  return { ...onwards(workflow, { ...kept, warned: given }, node, outcome, routed), warnings: fresh };
}

function onwards(workflow: Workflow, position: Position, node: StepNode, outcome: Outcome, routed: Route): Move {
  if ("fault" in routed) return failed(position, routed.fault);
  if (routed.goto !== null) return enter(workflow, position, routed.goto);
  if (outcome.status === "skipped") return over(position, skippedAt(node, outcome));
  if (outcome.status === "failed" && !node.continueOnError) return over(position, outcome);
  return over(position, { status: "failed", exitCode: FAILURE_EXIT, error: noWayOn(node, outcome) });
}

/** What templates and expressions that read these states may name. */
export function scopeOf(birth: RunBirth, position: Position, reads: Reads): Scope {
  const { workflow, inputs, env, context, chosen, tree, self, at } = birth;
  return {
    inputs,
    states: pickOf(position, reads),
    workflow: { ID: self.slice(4), Name: workflow.name, StartedAt: at },
    loop: null,
    env,
    context,
    file: workflow.file,
    ...(workflow.awf === true ? { awf: true as const } : {}),
    ...(chosen === undefined ? {} : { chosen }),
    ...(tree === undefined ? {} : { tree }),
    ...ofRun(birth, workflow),
  };
}

function enter(workflow: Workflow, from: Position, name: string): Move {
  const node = own(workflow.states, name);
  if (node === undefined)
    return failed(from, { code: "WORKFLOW.VALIDATION.MISSING_STATE", message: `there is no state "${name}"` });
  if (node.type === "terminal") {
    const outcome: Outcome =
      node.status === "success"
        ? COMPLETED
        : {
            status: "failed",
            exitCode: node.exitCode,
            error: { code: "EXECUTION.RUN.FAILED", message: endedIn(name) },
          };
    return {
      position: { ...from, where: { at: "end", last: name, outcome, message: node.message } },
      start: null,
      warnings: [],
    };
  }
  const hops = from.hops + 1;
  if (hops > MAX_HOPS)
    return failed(from, {
      code: "EXECUTION.RUN.TOO_MANY_TRANSITIONS",
      message: `the run entered more than ${MAX_HOPS} states`,
    });
  const { states } = workflow;
  const before = own(from.visits, name) ?? (hasEntered(from.entered, states, name) ? 1 : 0);
  const visit = before + 1;
  const trace =
    before === 0 ? { entered: withEntered(from.entered, states, name) } : { visits: { ...from.visits, [name]: visit } };
  return {
    position: { ...from, hops, ...trace, where: { at: "state", name } },
    start: { name, path: visit === 1 ? name : `${name}#${visit}` },
    warnings: [],
  };
}

/** The same position at its end, with nothing to say there. */
export const endedAs = (position: Position, outcome: Outcome): Position => ({
  ...position,
  where: { at: "end", last: lastOf(position), outcome, message: null },
});

/** How the run ends. One that stands elsewhere was cut off. */
export const outcomeOf = ({ where }: Position): Outcome => (where.at === "end" ? where.outcome : CANCELLED);

/** What the end says, not rendered yet. */
export const messageOf = ({ where }: Position): TemplateText | null => (where.at === "end" ? where.message : null);

/** The state that was entered last; null before the first. */
export function lastOf({ where }: Position): string | null {
  switch (where.at) {
    case "start":
      return null;
    case "state":
      return where.name;
    case "end":
      return where.last;
    default:
      return where satisfies never;
  }
}

const over = (position: Position, outcome: Outcome): Move => ({
  position: endedAs(position, outcome),
  start: null,
  warnings: [],
});
const failed = (position: Position, error: Fault): Move => over(position, { status: "failed", exitCode: 1, error });

/** A hidden terminal stands for the failure of the state in which it was written; null for any other name. */
const writtenIn = (name: string): string | null =>
  name.startsWith(INLINE_ERROR) ? name.slice(INLINE_ERROR.length) : null;

/** The state that a run ended in, as its file names it; "" before the first. */
export function namedEnd(position: Position): string {
  const last = lastOf(position) ?? "";
  return writtenIn(last) ?? last;
}

function endedIn(name: string): string {
  const step = writtenIn(name);
  return step === null ? `the workflow ended in "${name}"` : `step "${step}" failed`;
}
