/**
 * What a run failed of, as data: folded from its rows as they come, where the facts are wanted without the tree.
 *
 * I1. It holds the steps that are open and, of those above them, the failures below; what went well is forgotten,
 *     but for the items that rounds are named by.
 * I2. Which failures count is said by `causesOf`.
 */
import { type Frame, isLive, isText, type Row, type RowOf, type TextRow } from "../../machines/exchange.ts";
import { pathAbove } from "../../machines/naming/address.ts";
import { Names } from "../../machines/naming/names.ts";
import { visible } from "../../machines/visible.ts";
import { safeText } from "../terminal/safe.ts";
import { causesOf } from "./causes.ts";
import { LastLines } from "./last-lines.ts";
import { type FailedStep, failedStep } from "./step-tree.ts";

/** Lines of a failed step's output that are shown. */
export const FAILURE_LINES = 15;
/** More steps than this are counted. */
const MOST_TOLD = 20;

/** `more`: failed steps that are not listed. `look`, `goOn`: commands; absent where no later process finds the run. */
export type FailedRun = { run: string; steps: FailedStep[]; more: number; look?: string; goOn?: string };

/** What a step has failed of: itself, or steps below it; null where it has not failed. */
export type Causes = readonly FailedStep[] | null;

type Open = Pick<FailedStep, "run" | "path" | "address" | "attempts"> & {
  about: RowOf<"step.started">["payload"];
  output: LastLines;
  errors: LastLines;
  above: Open | null;
  /** Of each step below that failed in this attempt, what it failed of. */
  below: (readonly FailedStep[])[];
};

export class Failures {
  readonly #open = new Map<string, Open>();
  /** The open steps by the runs that they called. */
  readonly #callers = new Map<string, Open>();
  readonly #keeps: boolean;
  #names = new Names();
  #causes: readonly FailedStep[] = [];
  /** The name of the step that ended last with an error in this turn. */
  last: string | null = null;
  /** The run that has failed in the latest turn. */
  #failed: string | null = null;
  /** `keeps`: a later process finds the run. */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  /** Answers what a step has failed of that this row ends; null for any other frame. */
  see(row: Frame): Causes {
    if (isLive(row)) return null;
    switch (row.type) {
      case "message.user":
        if ("tell" in row.payload) return null;
        this.#failed = null;
        this.last = null;
        return null;
      case "run.completed":
        // One that never began has no steps, and cannot be run again: its turn says why.
        if (row.parentRun === undefined && row.payload.status === "failed" && row.payload.began !== false)
          this.#failed = row.run ?? "";
        return null;
      case "run.started":
        this.#begin(row);
        return null;
      case "step.call_workflow.started": {
        const caller = this.#of(row);
        if (caller !== undefined && row.childRun !== undefined) this.#callers.set(row.childRun, caller);
        return null;
      }
      case "step.started":
        this.#started(row);
        return null;
      case "step.retrying": {
        const step = this.#of(row);
        if (step !== undefined) Object.assign(step, { attempts: row.payload.attempt + 1, below: [] });
        return null;
      }
      case "step.completed":
        return this.#ended(row);
      default:
        if (isText(row)) this.#text(row);
        return null;
    }
  }

  /** What the run of the latest turn has failed of; an earlier failure that it survived is left out. */
  ofTurn(): { failed?: FailedRun } {
    return this.#failed === null ? {} : { failed: failedRun(this.#failed, this.#causes, this.#keeps) };
  }

  #begin({ run = "", parentRun, parentStep = "" }: RowOf<"run.started">): void {
    if (parentRun !== undefined) {
      const caller = this.#open.get(keyOf(parentRun, parentStep));
      if (caller !== undefined) this.#callers.set(run, caller);
      return;
    }
    this.#open.clear();
    this.#callers.clear();
    this.#names = new Names();
    this.#causes = [];
  }
  #of({ run = "", step = "" }: Pick<Row, "run" | "step">): Open | undefined {
    return this.#open.get(keyOf(run, step));
  }
  #started(row: RowOf<"step.started">): void {
    const { run = "", step: path = "" } = row;
    const caller = this.#callers.get(run);
    const above = this.#open.get(keyOf(run, pathAbove(path))) ?? caller ?? null;
    const address = this.#names.begin(row, above);
    const step = { run, path, address, about: row.payload, attempts: 1, above };
    this.#open.set(keyOf(run, path), { ...step, output: new LastLines(), errors: new LastLines(), below: [] });
  }
  #ended(row: RowOf<"step.completed">): Causes {
    const step = this.#of(row);
    const { name, status, error } = row.payload;
    if (status !== "skipped" && error !== undefined) this.last = name;
    if (step === undefined) return null;
    this.#open.delete(keyOf(step.run, step.path));
    this.#names.end(step.address);
    for (const [run, caller] of this.#callers) if (caller === step) this.#callers.delete(run);
    if (status !== "failed") return null;
    const { about, above, below } = step;
    const own = shown(failedStep({ ...step, end: row.payload }, FAILURE_LINES));
    const causes = causesOf(own, about.kind === "call_workflow", below);
    if (above === null) this.#causes = causes;
    else above.below.push(causes);
    return causes;
  }
  #text(row: TextRow): void {
    const { payload } = row;
    // What an agent's tools print is no output of its step.
    if (payload.call !== undefined || row.type === "message.thought") return;
    const step = this.#of(row);
    (payload.stream === "stderr" ? step?.errors : step?.output)?.see(payload);
  }
}

/** Words without what steers a terminal, as colours do, and with nothing invisible. */
const plain = (text: string): string => visible(safeText(text));

/** A step that failed, in plain words. */
const shown = ({ run, path, address, error, stdout, stderr, ...step }: FailedStep): FailedStep => ({
  ...{ run, path, address },
  ...step,
  error: error === null ? null : { ...error, message: plain(error.message) },
  stdout: stdout.map(plain),
  stderr: stderr.map(plain),
});
const keyOf = (run: string, path: string): string => `${run} ${path}`;

export function failedRun(run: string, causes: readonly FailedStep[], keeps: boolean): FailedRun {
  const steps = causes.slice(0, MOST_TOLD);
  const commands = keeps
    ? { look: lookCommand(run, causes.length > 0), goOn: goOnCommand(run, causes.length > 0) }
    : {};
  return { run, steps, more: causes.length - steps.length, ...commands };
}

export const lookCommand = (run: string, hasFailed: boolean): string =>
  `troupe logs ${run}${hasFailed ? " --failed" : ""}`;
export const goOnCommand = (run: string, hasFailed: boolean): string =>
  `troupe rerun ${run}${hasFailed ? " --failed" : ""}`;
