/**
 * One step in the fold of a run: what the log has reported of it, and what it adds up to with everything below it.
 *
 * I1. Counts and sums are kept as rows come: to read them costs the same however many steps there are.
 * I2. Of one attempt the last usage counts; attempts, steps and called workflows add up.
 */
import type { ErrorFields, RowOf } from "../../machines/exchange.ts";
import type { Status } from "../../machines/model.ts";
import { roundOf } from "../../machines/naming/address.ts";
import { causesOf } from "./causes.ts";
import { LastLines } from "./last-lines.ts";
import { StepUsage, type UsageChange, UsageTotal } from "./usage.ts";

/** `interrupted`: it has no end, and was cut off. */
export type StepState = "running" | "waiting" | "interrupted" | Status | "skipped";
/** What a step waits for: `decide` takes a permission's id, `answer` an input's. */
export type StepWait = { type: "permission" | "input"; id: string; text: string };
type StepBirth = Pick<StepNode, "run" | "path" | "address" | "above" | "startedAt" | "about"> & { down: number };

export class StepNode {
  readonly run: string;
  readonly path: string;
  /** How a person names it: unique in the tree. */
  readonly address: string;
  /** Its address and those above it, outermost first. */
  readonly place: readonly string[];
  readonly above: StepNode | null;
  readonly about: RowOf<"step.started">["payload"];
  /** Counted from 1; null for what is no part of a loop's body. */
  readonly round: number | null;
  /** A part of a loop's body, at any depth. */
  readonly inLoop: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly output = new LastLines();
  readonly errors = new LastLines();
  readonly waits = new Map<string, StepWait>();
  readonly children: StepNode[] = [];
  /** Children without an end, and those that failed. */
  readonly open = new Set<StepNode>();
  readonly failed: StepNode[] = [];
  readonly total = new UsageTotal();
  /** The steps that it has failed of; none where it has not failed. */
  causes: readonly StepNode[] = [];
  /** The same of each step below that failed in this attempt. */
  #below: (readonly StepNode[])[] = [];
  attempts = 1;
  endedAt: number | null = null;
  end: RowOf<"step.completed">["payload"] | null = null;
  /** Why it has stopped without an end, where the log says so: at a budget. */
  halt: ErrorFields | null = null;
  /** The run that a `call_workflow` has started. */
  calls: { run: string; workflow: string } | null = null;
  /** Of the log before it, and from then to its end, in milliseconds. */
  readonly #downBefore: number;
  #downMs: number | null = null;
  readonly #usage = new StepUsage();

  constructor({ run, path, address, above, startedAt, about, down }: StepBirth) {
    this.run = run;
    this.path = path;
    this.address = address;
    this.above = above;
    this.place = [...(above?.place ?? []), address];
    this.startedAt = startedAt;
    this.about = about;
    this.round = roundOf(path);
    this.inLoop = this.round !== null || above?.inLoop === true;
    this.#downBefore = down;
    above?.children.push(this);
    above?.open.add(this);
  }

  finish(end: RowOf<"step.completed">["payload"], at: number, down: number): void {
    const { above } = this;
    if (above !== null && this.end?.status === "failed") above.#forget(this);
    this.end = end;
    this.halt = null;
    this.endedAt = at;
    this.#downMs = down - this.#downBefore;
    this.waits.clear();
    above?.open.delete(this);
    this.causes =
      end.status === "failed" ? causesOf<StepNode>(this, this.about.kind === "call_workflow", this.#below) : [];
    if (above === null || end.status !== "failed") return;
    above.failed.push(this);
    above.#below.push(this.causes);
  }
  #forget(child: StepNode): void {
    this.failed.splice(this.failed.indexOf(child), 1);
    this.#below = this.#below.filter((causes) => causes !== child.causes);
  }
  /** Another attempt, or what comes after an answer: its usage counts beside that so far. */
  next(attempt: number | null): void {
    if (attempt !== null) {
      this.attempts = attempt;
      this.#below = [];
    }
    this.#usage.next();
  }
  /** Answers what it changes of every sum that it is part of. */
  used(payload: RowOf<"usage.recorded">["payload"]): UsageChange {
    const change = this.#usage.see(payload);
    this.total.add(change);
    for (let { above } = this; above !== null; above = above.above) above.total.add(change);
    return change;
  }

  /** How long of it no process ran it. `down`: of the log so far. */
  downMs(down: number): number {
    return this.#downMs ?? down - this.#downBefore;
  }
  /** `isAlive`: whether what has no end goes on. */
  state(isAlive: boolean): StepState {
    if (this.end !== null) return this.end.status;
    if (this.waits.size > 0) return "waiting";
    return isAlive ? "running" : "interrupted";
  }
}
