/**
 * Where a run stands in its document, as a pure reducer: `begin` and `settle` return the position and what comes next.
 *
 * I1. One state is current at a time; parallelism lives in the containers below it.
 * I2. The number of states entered is limited, so that a cycle without an exit ends as a fault.
 */
import type { RunInput } from "../contracts.ts";
import {
  type Born,
  COMPLETED,
  type Fault,
  type Json,
  type Outcome,
  own,
  type Settled,
  type StateResults,
} from "../model.ts";
import { pick, type Scope } from "../scope.ts";
import { FAILURE_EXIT, INLINE_ERROR, type StepNode, type TemplateText, type Workflow } from "../workflow/document.ts";
import { workflowReads } from "../workflow/reads.ts";
import { freshOf, noWayOn, type Route, route, skippedAt } from "../workflow/route.ts";

export type Position = {
  hops: number;
  /** How often each state was entered. */
  visits: { [state: string]: number };
  current: string | null;
  /** The state that was entered last; null before the first. */
  last: string | null;
  states: StateResults;
  /** Warnings of conditions that have been given: each is given once. */
  warned: string[];
  /** Set when the run has come to an end, before its message and outputs are rendered. */
  outcome: Outcome | null;
  message: TemplateText | null;
};
/** `start`: run this state next. `warnings` become notices. */
export type Move = { position: Position; start: { name: string; path: string } | null; warnings: string[] };
export type RunBirth = Born & RunInput & { self: `run/${string}` };
export type RunContext = {
  birth: RunBirth;
  position: Position;
  message: string | null;
  outputs: { [name: string]: Json };
};

export const MAX_HOPS = 10_000;
export const NOWHERE: Position = {
  hops: 0,
  visits: {},
  current: null,
  last: null,
  states: {},
  warned: [],
  outcome: null,
  message: null,
};

export const begin = (workflow: Workflow): Move => enter(workflow, NOWHERE, workflow.initial);

/** After the current state has settled. */
export function settle(birth: RunBirth, from: Position, settled: Settled): Move {
  const { workflow } = birth;
  const node = from.current === null ? undefined : own(workflow.states, from.current);
  const states = { ...from.states, ...pick(settled.states, workflowReads(workflow)) };
  const { outcome } = settled;
  if (outcome.status === "cancelled" || node === undefined || node.type === "terminal") {
    return over({ ...from, states }, outcome);
  }
  const scope = scopeOf(birth, { ...from, states });
  const routed = route(node, outcome, settled.left, { ...scope, states: { ...states, ...settled.states } });
  const { fresh, given } = freshOf(routed.warnings, from.warned);
  return { ...onwards(workflow, { ...from, states, warned: given }, node, outcome, routed), warnings: fresh };
}

function onwards(workflow: Workflow, position: Position, node: StepNode, outcome: Outcome, routed: Route): Move {
  if ("fault" in routed) return failed(position, routed.fault);
  if (routed.goto !== null) return enter(workflow, position, routed.goto);
  if (outcome.status === "skipped") return over(position, skippedAt(node, outcome));
  if (outcome.status === "failed" && !node.continueOnError) return over(position, outcome);
  return over(position, { status: "failed", exitCode: FAILURE_EXIT, error: noWayOn(node, outcome) });
}

/** What the current state's templates and expressions may name. */
export function scopeOf({ workflow, inputs, env, context, chosen, self, at }: RunBirth, { states }: Position): Scope {
  return {
    inputs,
    states,
    workflow: { ID: self.slice(4), Name: workflow.name, StartedAt: at },
    loop: null,
    env,
    context,
    file: workflow.file,
    ...(workflow.awf === true ? { awf: true as const } : {}),
    ...(chosen === undefined ? {} : { chosen }),
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
      position: { ...from, current: null, last: name, outcome, message: node.message },
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
  const visit = (own(from.visits, name) ?? 0) + 1;
  return {
    position: { ...from, hops, visits: { ...from.visits, [name]: visit }, current: name, last: name },
    start: { name, path: visit === 1 ? name : `${name}#${visit}` },
    warnings: [],
  };
}

const over = (position: Position, outcome: Outcome): Move => ({
  position: { ...position, current: null, outcome },
  start: null,
  warnings: [],
});
const failed = (position: Position, error: Fault): Move => over(position, { status: "failed", exitCode: 1, error });

/** A hidden terminal stands for the failure of the state whose file it was written in. */
const endedIn = (name: string): string =>
  name.startsWith(INLINE_ERROR)
    ? `step "${name.slice(INLINE_ERROR.length)}" failed`
    : `the workflow ended in "${name}"`;
