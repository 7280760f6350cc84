/**
 * One run as a screen shows it: the tree of its steps, with the last lines of those at work.
 *
 * I1. Only what is at work holds text; what has ended is its line.
 * I2. A batch of frames costs what is in it, however many steps the run has.
 */
import { type Exchange, type Frame, isLive, type RowOf } from "../../machines/exchange.ts";
import type { StepNode } from "../runs/step-node.ts";
import { RunFold } from "../runs/tree.ts";
import { safeLine } from "../terminal/safe.ts";
import { StepTail, type TailLine } from "./step-tail.ts";

type RunEnd = RowOf<"run.completed">["payload"];

export class Screen {
  readonly fold: RunFold;
  readonly #run: string;
  readonly #tails = new Map<StepNode, StepTail>();
  readonly #ended = new Set<string>();
  #startedAt: number | null = null;
  #downBefore = 0;
  end: RunEnd | null = null;
  /** Of its end, with the downtime in it. */
  #endedAt: number | null = null;

  constructor(run: string) {
    this.#run = run;
    this.fold = new RunFold(run);
  }

  see(frame: Frame): void {
    if (isLive(frame)) {
      const node = this.fold.nodeOf(frame);
      if (node !== null && node.end === null) this.#tail(node).hear(frame, true);
      return;
    }
    this.fold.see(frame);
    if (frame.type === "run.started" && frame.run === this.#run) {
      this.#startedAt = frame.at;
      this.#downBefore = this.fold.downMs;
    }
    if (frame.type === "run.completed" && frame.run === this.#run) {
      this.end = frame.payload;
      this.#endedAt = frame.at;
    }
    const node = this.fold.nodeOf(frame);
    if (node !== null) this.#step(node, frame);
  }

  /** The last lines of a step: of one at work as they come, of one that failed what it wrote last. */
  tailOf(node: StepNode, most: number): readonly TailLine[] {
    const tail = this.#tails.get(node);
    if (tail !== undefined) return tail.last(most);
    if (node.end?.status !== "failed" || node.children.length > 0 || most <= 0) return [];
    const errors = node.errors.lines(most);
    return errors.length > 0 ? lines("error", errors) : lines("printed", node.output.lines(most));
  }
  /** The run's own steps: how many of those that are known beforehand have ended. */
  get progress(): { ended: number; of: number } {
    const { plan } = this.fold;
    return { ended: plan.filter(({ name }) => this.#ended.has(name)).length, of: plan.length };
  }
  /** How long it ran until then, in milliseconds, without the time in which no process ran it. */
  workedMs(now: number): number {
    if (this.#startedAt === null) return 0;
    return Math.max(0, (this.#endedAt ?? now) - this.#startedAt - (this.fold.downMs - this.#downBefore));
  }
  stepMs(node: StepNode, now: number): number {
    return Math.max(0, (node.endedAt ?? now) - node.startedAt - node.downMs(this.fold.downMs));
  }

  #step(node: StepNode, row: Exchange): void {
    if (row.type === "step.completed") {
      this.#tails.delete(node);
      this.#count(node);
    } else if (node.end === null) this.#tail(node).see(row);
  }
  /** A step in a loop is done when the loop is. */
  #count(node: StepNode): void {
    if (node.run !== this.#run || node.inLoop) return;
    const names = (one: StepNode): void => {
      this.#ended.add(one.about.name);
      for (const child of one.children) if (child.run === this.#run) names(child);
    };
    names(node);
  }
  #tail(node: StepNode): StepTail {
    const known = this.#tails.get(node);
    if (known !== undefined) return known;
    const tail = new StepTail();
    this.#tails.set(node, tail);
    return tail;
  }
}

const lines = (tone: TailLine["tone"], texts: readonly string[]): TailLine[] =>
  texts.map((text) => ({ tone, text: safeLine(text) }));
