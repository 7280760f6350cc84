/**
 * A run as a tree of its steps, folded from its session's log: what became of each, what it waits for, what it used.
 * Branches, rounds of loops and steps of called workflows stand below the step that they are part of.
 *
 * I1. A step stands where the log first tells of it, once, whatever its attempts.
 * I2. Of one attempt the last usage counts; attempts, steps and called workflows add up.
 * I3. What is told of a step after its end changes nothing but its cost.
 */
import {
  type ErrorFields,
  type Exchange,
  isText,
  type Row,
  type RowOf,
  type StepKind,
  type TextRow,
} from "../../machines/exchange.ts";
import type { Status } from "../../machines/model.ts";
import { addressOf, pathAbove, roundOf } from "./address.ts";
import { LastLines } from "./last-lines.ts";
import { addUsage, NO_USAGE, StepUsage, type UsageSum } from "./usage.ts";

/** `interrupted`: it has no end, and nobody runs it. */
export type StepState = "running" | "waiting" | "interrupted" | Status | "skipped";
/** What a step waits for: `decide` takes a permission's id, `answer` an input's. */
export type StepWait = { type: "permission" | "input"; id: string; text: string };
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
  state: StepState;
  attempts: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number | null;
  exitCode: number | null;
  error: ErrorFields | null;
  /** Of the step and everything below it. */
  usage: UsageSum;
  waitsFor: StepWait[];
  /** The run that a `call_workflow` has started. */
  calls: { run: string; workflow: string } | null;
  steps: StepTree[];
};
/** `current`: the addresses of the steps at work that have none at work below them. */
export type RunTree = { steps: StepTree[]; current: string[]; usage: UsageSum };

type Node = {
  readonly run: string;
  readonly path: string;
  readonly address: string;
  readonly place: readonly string[];
  readonly at: number;
  readonly started: RowOf<"step.started">["payload"];
  readonly usage: StepUsage;
  readonly output: LastLines;
  readonly errors: LastLines;
  readonly children: Node[];
  readonly waits: Map<string, StepWait>;
  attempts: number;
  endedAt: number | null;
  end: RowOf<"step.completed">["payload"] | null;
  calls: { run: string; workflow: string } | null;
};
/** A step that failed, with the last lines that it wrote. */
export type FailedStep = Pick<StepTree, "address" | "run" | "path" | "kind" | "attempts" | "exitCode" | "error"> & {
  stdout: readonly string[];
  stderr: readonly string[];
};

export class RunFold {
  readonly #run: string;
  readonly #roots: Node[] = [];
  readonly #nodes = new Map<string, Node>();
  /** The step that called each run. */
  readonly #callers = new Map<string, Node>();
  constructor(run: string) {
    this.#run = run;
  }

  see(row: Exchange): void {
    switch (row.type) {
      case "run.started":
        return this.#called(row);
      case "step.call_workflow.started":
        return this.#announced(row);
      case "step.started":
        return this.#started(row);
      case "step.retrying":
        return this.#of(row, (node) => {
          node.attempts = row.payload.attempt + 1;
          node.usage.next();
        });
      case "step.completed":
        return this.#of(row, (node) => {
          node.end = row.payload;
          node.endedAt = row.at;
          node.waits.clear();
        });
      case "permission.requested": {
        const { permission: id, title } = row.payload;
        return this.#of(row, (node) => node.waits.set(id, { type: "permission", id, text: title }));
      }
      case "permission.resolved":
        return this.#of(row, (node) => node.waits.delete(row.payload.permission));
      case "input.required": {
        const { input: id, prompt } = row.payload;
        return this.#of(row, (node) => node.waits.set(id, { type: "input", id, text: prompt }));
      }
      case "input.answered":
        return this.#of(row, (node) => {
          node.waits.delete(row.payload.input);
          node.usage.next();
        });
      case "usage.recorded":
        return this.#of(row, (node) => node.usage.see(row.payload));
      default:
        if (isText(row)) this.#text(row);
    }
  }

  /** Whether a row is of the run, or of one that it called, at any depth. */
  holds({ run }: Pick<Row, "run">): boolean {
    return run === this.#run || (run !== undefined && this.#callers.has(run));
  }
  /** The addresses of the step that a row is of and of those above it, outermost first; none for rows of the run itself. */
  placeOf({ run = "", step = "" }: Pick<Row, "run" | "step">): readonly string[] {
    return (this.#nodes.get(keyOf(run, step)) ?? this.#callers.get(run))?.place ?? [];
  }
  addresses(): string[] {
    return [...this.#nodes.values()].map(({ address }) => address);
  }

  /** `isAlive`: whether what has no end goes on. */
  tree(isAlive: boolean): RunTree {
    const steps = this.#roots.map((node) => treeOf(node, isAlive));
    return { steps, current: steps.flatMap(currentIn), usage: sumOf(steps) };
  }
  /** Every step that failed and of which nothing below has, in the order of the log. `most`: lines of each stream. */
  failed(most: number): FailedStep[] {
    const found = [...this.#nodes.values()].filter((node) => hasFailed(node) && !node.children.some(hasFailed));
    return found.map((node) => failedStep(node, most));
  }
  /** Those of them that the run itself has failed of, as far as the log tells: what went on after a failure is left out. */
  causes(most: number): FailedStep[] {
    const last = this.#roots.findLast(hasFailed);
    return last === undefined ? [] : causesOf(last).map((node) => failedStep(node, most));
  }

  #of({ run = "", step = "" }: Pick<Row, "run" | "step">, act: (node: Node) => void): void {
    const node = this.#nodes.get(keyOf(run, step));
    if (node !== undefined) act(node);
  }
  #called({ run = "", parentRun, parentStep, payload }: RowOf<"run.started">): void {
    if (parentRun === undefined) return;
    const named = parentStep === undefined ? undefined : this.#nodes.get(keyOf(parentRun, parentStep));
    const known = this.#callers.get(run) ?? named ?? this.#callerIn(parentRun);
    if (known === null) return;
    this.#callers.set(run, known);
    known.calls = { run, workflow: payload.workflow };
  }
  #announced({ run = "", step = "", childRun, payload }: RowOf<"step.call_workflow.started">): void {
    const node = this.#nodes.get(keyOf(run, step));
    if (node === undefined || childRun === undefined) return;
    this.#callers.set(childRun, node);
    node.calls = { run: childRun, workflow: payload.workflow };
  }
  /** Logs of earlier versions do not say which step called a run: the last one that could have. */
  #callerIn(run: string): Node | null {
    const calls = [...this.#nodes.values()].filter(
      (node) => node.run === run && node.started.kind === "call_workflow" && node.end === null && node.calls === null,
    );
    return calls.at(-1) ?? null;
  }
  #started(row: Exchange<RowOf<"step.started">>): void {
    const { run = "", step: path = "", payload, at } = row;
    const caller = this.#callers.get(run);
    const key = keyOf(run, path);
    if ((run !== this.#run && caller === undefined) || this.#nodes.has(key)) return;
    const above = this.#nodes.get(keyOf(run, pathAbove(path))) ?? caller;
    const address = addressOf(path, caller?.address ?? "");
    const node: Node = {
      ...{ run, path, at, started: payload, address, place: [...(above?.place ?? []), address] },
      ...{ usage: new StepUsage(), output: new LastLines(), errors: new LastLines(), children: [], waits: new Map() },
      ...{ attempts: 1, endedAt: null, end: null, calls: null },
    };
    this.#nodes.set(key, node);
    (above?.children ?? this.#roots).push(node);
  }
  #text(row: TextRow): void {
    const { payload } = row;
    // What an agent's tools print is no output of its step.
    if (payload.call !== undefined || row.type === "message.thought") return;
    this.#of(row, (node) => (payload.stream === "stderr" ? node.errors : node.output).see(payload));
  }
}

const keyOf = (run: string, path: string): string => `${run} ${path}`;
const hasFailed = ({ end }: Node): boolean => end?.status === "failed";

/** Of a called workflow the last failure counts, of branches and rounds each, of several attempts the last. */
function causesOf(node: Node): Node[] {
  const prefix = node.attempts > 1 ? `${node.path}@${node.attempts}/` : "";
  const failed = node.children.filter(
    (child) => hasFailed(child) && (node.calls !== null || child.path.startsWith(prefix)),
  );
  if (failed.length === 0) return [node];
  return (node.calls === null ? failed : failed.slice(-1)).flatMap(causesOf);
}

function failedStep({ address, run, path, started, attempts, end, output, errors }: Node, most: number): FailedStep {
  return {
    ...{ address, run, path, kind: started.kind, attempts, exitCode: end?.exitCode ?? null, error: end?.error ?? null },
    ...{ stdout: output.lines(most), stderr: errors.lines(most) },
  };
}

function treeOf(node: Node, isAlive: boolean): StepTree {
  const { run, path, address, at, started, attempts, endedAt, end, calls } = node;
  const steps = node.children.map((child) => treeOf(child, isAlive));
  return {
    ...{ address, run, path, name: started.name, kind: started.kind, title: started.title, round: roundOf(path) },
    ...{ state: stateOf(node, isAlive), attempts, startedAt: at, endedAt, exitCode: end?.exitCode ?? null },
    ...{
      error: end?.error ?? null,
      usage: addUsage(node.usage.sum(), sumOf(steps)),
      waitsFor: [...node.waits.values()],
    },
    ...{ calls, steps },
  };
}

function stateOf({ end, waits }: Node, isAlive: boolean): StepState {
  if (end !== null) return end.status;
  if (waits.size > 0) return "waiting";
  return isAlive ? "running" : "interrupted";
}
const isOpen = ({ endedAt }: StepTree): boolean => endedAt === null;
const currentIn = (step: StepTree): string[] => {
  const below = step.steps.flatMap(currentIn);
  return below.length > 0 || !isOpen(step) ? below : [step.address];
};
const sumOf = (steps: readonly StepTree[]): UsageSum => steps.map(({ usage }) => usage).reduce(addUsage, NO_USAGE);
