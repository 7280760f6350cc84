/** The tree of a run's steps as data, for those who print or send all of it. */
import type { ErrorFields, StepKind } from "../../machines/exchange.ts";
import { itemOf } from "../../machines/naming/address.ts";
import type { StepNode, StepState, StepWait } from "./step-node.ts";
import type { UsageSum } from "./usage.ts";

export type StepTree = {
  /** How a person names it: unique in the tree. */
  address: string;
  /** The run that it is a step of, and its path there. */
  run: string;
  path: string;
  name: string;
  kind: StepKind;
  title: string;
  /** Counted from 1; null for what is no part of a loop's body. */
  round: number | null;
  /** What the round is called after its item; null where its number has to do. */
  item: string | null;
  state: StepState;
  attempts: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number | null;
  /** How long of the time between no process ran it: after a crash, or while it was parked. */
  downMs: number;
  exitCode: number | null;
  error: ErrorFields | null;
  /** Why it has stopped without an end, where the log says so: at a budget. */
  halt: ErrorFields | null;
  /** Of the step and everything below it. */
  usage: UsageSum;
  waitsFor: StepWait[];
  /** The run that a `call_workflow` has started. */
  calls: { run: string; workflow: string } | null;
  steps: StepTree[];
};
/** `current`: the addresses of the steps at work that have none at work below them. */
export type RunTree = { steps: StepTree[]; current: string[]; usage: UsageSum };
/** A step that failed, with the last lines that it wrote. */
export type FailedStep = Pick<StepTree, "address" | "run" | "path" | "kind" | "attempts" | "exitCode" | "error"> & {
  stdout: readonly string[];
  stderr: readonly string[];
};

/** `down`: of the log so far, in milliseconds. */
export function treeOf(node: StepNode, isAlive: boolean, down: number): StepTree {
  const { run, path, address, about, round, startedAt, attempts, endedAt, end, halt, calls, total } = node;
  return {
    ...{ address, run, path, name: about.name, kind: about.kind, title: about.title },
    ...{ round, item: itemOf(about.round) },
    ...{ state: node.state(isAlive), attempts, startedAt, endedAt, downMs: node.downMs(down) },
    ...{ exitCode: end?.exitCode ?? null, error: end?.error ?? null, halt, usage: total.sum() },
    ...{ waitsFor: [...node.waits.values()], calls },
    steps: node.children.map((child) => treeOf(child, isAlive, down)),
  };
}

const isOpen = ({ endedAt }: StepTree): boolean => endedAt === null;
export const currentIn = (step: StepTree): string[] => {
  const below = step.steps.flatMap(currentIn);
  return below.length > 0 || !isOpen(step) ? below : [step.address];
};

/** `most`: lines of each stream. */
export function failedStep(
  node: Pick<StepNode, "address" | "run" | "path" | "about" | "attempts" | "end" | "output" | "errors">,
  most: number,
): FailedStep {
  const { address, run, path, about, attempts, end, output, errors } = node;
  return {
    ...{ address, run, path, kind: about.kind, attempts, exitCode: end?.exitCode ?? null, error: end?.error ?? null },
    ...{ stdout: output.lines(most), stderr: errors.lines(most) },
  };
}
export const hasFailed = ({ end }: StepNode): boolean => end?.status === "failed";
