/**
 * A run as a tree of its steps, folded from its session's log: what became of each, what it waits for, what it used.
 * Branches, rounds of loops and steps of called workflows stand below the step that they are part of.
 *
 * I1. A step stands where the log first mentions it, once, whatever its attempts.
 * I2. What is reported of a step after its end changes nothing but its cost.
 */
import {
  type Exchange,
  isText,
  type PlanEntry,
  type RerunOf,
  type Row,
  type RowOf,
  type TextRow,
} from "../../machines/exchange.ts";
import { pathAbove } from "../../machines/naming/address.ts";
import { Names } from "../../machines/naming/names.ts";
import { Downtime } from "./downtime.ts";
import { StepNode } from "./step-node.ts";
import { currentIn, type FailedStep, failedStep, hasFailed, type RunTree, treeOf } from "./step-tree.ts";
import { UsageTotal } from "./usage.ts";

export type { StepState } from "./step-node.ts";
export type { FailedStep, RunTree, StepTree } from "./step-tree.ts";

export class RunFold {
  readonly #run: string;
  readonly #nodes = new Map<string, StepNode>();
  /** The step that called each run. */
  readonly #callers = new Map<string, StepNode>();
  readonly #down = new Downtime();
  readonly roots: StepNode[] = [];
  readonly names = new Names();
  readonly total = new UsageTotal();
  /** The run's own steps, as far as they are known beforehand; empty before its first row. */
  plan: readonly PlanEntry[] = [];
  /** The run that it does again, and what it has taken over; null for any other. */
  rerun: RerunOf | null = null;
  constructor(run: string) {
    this.#run = run;
  }

  see(row: Exchange): void {
    this.#down.see(row);
    switch (row.type) {
      case "run.started":
        return this.#called(row);
      case "step.call_workflow.started":
        return this.#announced(row);
      case "step.started":
        return this.#started(row);
      case "step.retrying":
        return this.#of(row, (node) => node.next(row.payload.attempt + 1));
      case "step.completed":
        return this.#of(row, (node) => node.finish(row.payload, row.at, this.#down.ms));
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
          node.next(null);
        });
      case "notice": {
        const { severity, code, message } = row.payload;
        if (severity !== "error" || code === undefined) return;
        return this.#of(row, (node) => {
          if (node.end === null) node.halt = { code, message };
        });
      }
      case "budget.noted":
        if (row.payload.is !== "stopped") this.#of(row, (node) => (node.halt = null));
        return;
      case "usage.recorded":
        return this.#of(row, (node) => this.total.add(node.used(row.payload)));
      default:
        if (isText(row)) this.#text(row);
    }
  }

  /** Whether a row is of the run, or of one that it called, at any depth. */
  holds({ run }: Pick<Row, "run">): boolean {
    return run === this.#run || (run !== undefined && this.#callers.has(run));
  }
  /**
   * The addresses of the step that a row is of and of those above it, outermost first; none for rows of the run itself.
   */
  placeOf({ run = "", step = "" }: Pick<Row, "run" | "step">): readonly string[] {
    return (this.#nodes.get(keyOf(run, step)) ?? this.#callers.get(run))?.place ?? [];
  }
  /** The step that a row is of; null for rows of a run itself. */
  nodeOf({ run = "", step = "" }: Pick<Row, "run" | "step">): StepNode | null {
    return this.#nodes.get(keyOf(run, step)) ?? null;
  }
  /** How long no process ran it, so far, in milliseconds. */
  get downMs(): number {
    return this.#down.ms;
  }

  /** When it was last worked at, in milliseconds since the epoch; null before its first row. */
  get lastAt(): number | null {
    return this.#down.lastAt;
  }

  /** `isAlive`: whether what has no end goes on. */
  tree(isAlive: boolean): RunTree {
    const steps = this.roots.map((node) => treeOf(node, isAlive, this.#down.ms));
    return { steps, current: steps.flatMap(currentIn), usage: this.total.sum() };
  }
  /** Every step that failed and of which nothing below has, in the order of the log. `most`: lines of each stream. */
  failed(most: number): FailedStep[] {
    const found = [...this.#nodes.values()].filter((node) => hasFailed(node) && !node.children.some(hasFailed));
    return found.map((node) => failedStep(node, most));
  }
  /**
   * Those of them that the run itself has failed of, as far as the log says: a failure that the run survived is left
   * out.
   */
  causes(most: number): FailedStep[] {
    const last = this.roots.findLast(hasFailed);
    return (last?.causes ?? []).map((node) => failedStep(node, most));
  }

  #of(row: Pick<Row, "run" | "step">, act: (node: StepNode) => void): void {
    const node = this.nodeOf(row);
    if (node !== null) act(node);
  }
  #called({ run = "", parentRun, parentStep, payload }: RowOf<"run.started">): void {
    if (run === this.#run) {
      this.plan = payload.plan;
      this.rerun = payload.rerun ?? null;
    }
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
  #callerIn(run: string): StepNode | null {
    const calls = [...this.#nodes.values()].filter(
      (node) => node.run === run && node.about.kind === "call_workflow" && node.end === null && node.calls === null,
    );
    return calls.at(-1) ?? null;
  }
  #started(row: Exchange<RowOf<"step.started">>): void {
    const { run = "", step: path = "", payload: about, at: startedAt } = row;
    const caller = this.#callers.get(run);
    const key = keyOf(run, path);
    if ((run !== this.#run && caller === undefined) || this.#nodes.has(key)) return;
    const above = this.#nodes.get(keyOf(run, pathAbove(path))) ?? caller ?? null;
    const address = this.names.begin(row, above);
    const node = new StepNode({ run, path, address, above, startedAt, about, down: this.#down.ms });
    this.#nodes.set(key, node);
    if (above === null) this.roots.push(node);
  }
  #text(row: TextRow): void {
    const { payload } = row;
    // What an agent's tools print is no output of its step.
    if (payload.call !== undefined || row.type === "message.thought") return;
    this.#of(row, (node) => (payload.stream === "stderr" ? node.errors : node.output).see(payload));
  }
}

const keyOf = (run: string, path: string): string => `${run} ${path}`;
