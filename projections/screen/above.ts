/**
 * What of a run stays above its screen, line by line as it comes: the steps that are over, notices, answers, the end.
 *
 * I1. A step of the run itself that is over is one line; what failed in it stands below.
 * I2. Why a step failed is said once: below it, where the run continues, or at the run's end.
 */
import { type Exchange, type Frame, isLive, type RowOf } from "../../machines/exchange.ts";
import type { StepNode } from "../runs/step-node.ts";
import { folding, type Projection } from "../shared/projection.ts";
import { FAILURE_LINES, failureLines } from "../terminal/failure-lines.ts";
import { type Paint, paint } from "../terminal/paint.ts";
import { endLines, header, reasonLine } from "../terminal/run-words.ts";
import { safeLine } from "../terminal/safe.ts";
import { countStep, nothing, type Tally } from "../terminal/tally.ts";
import { noticeLine } from "../terminal/tool-words.ts";
import { shorten } from "../terminal/width.ts";
import { count } from "../terminal/words.ts";
import { Screen } from "./screen.ts";
import { lineOfStep } from "./step-line.ts";

/** `after`: up to this row it was shown before; what is over is shown again, what was said is not. */
export type AboveOptions = { run: string; after: number; keeps: boolean; colours: boolean; amount: Amount };
/** `end`: nothing but how the run ended. */
export type Amount = "steps" | "end";
/** `cuts`: what it leaves out can be read elsewhere. */
export type AboveLine = { text: string; cuts: boolean };

/** Failures below a step that are listed. */
const MOST_FAILURES = 5;
/** Of a failure that the run survived. */
const FEW_LINES = 5;
/** Of all that failed in one step. */
const MOST_LINES = 40;

/** The run on its screen, and the lines that the last batch of frames leaves above it. */
export type Screened = { above: readonly AboveLine[]; screen: Screen };

export const screened = (options: AboveOptions): Projection<Screened> =>
  folding(
    () => new Above(options),
    (above, frames: readonly Frame[]) => ({ above: above.see(frames), screen: above.screen }),
  );

class Above {
  readonly screen: Screen;
  readonly #options: AboveOptions;
  readonly #paint: Paint;
  readonly #tally: Tally = nothing();
  readonly #titles = new Map<string, RowOf<"permission.requested">["payload"]>();
  #held: AboveLine[] = [];
  #lines: AboveLine[] = [];

  constructor(options: AboveOptions) {
    this.#options = options;
    this.#paint = paint(options.colours);
    this.screen = new Screen(options.run);
  }

  /** The lines that these frames leave. */
  see(frames: readonly Frame[]): AboveLine[] {
    for (const frame of frames) {
      this.screen.see(frame);
      if (!isLive(frame) && this.screen.fold.holds(frame)) this.#row(frame, frame.seq > this.#options.after);
    }
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  #row(row: Exchange, isNew: boolean): void {
    switch (row.type) {
      case "run.started":
        if (isNew && row.run === this.#options.run) this.#cut(header(row, row.payload.workflow, true, this.#paint));
        return;
      case "step.started":
        return this.#release();
      case "step.retrying":
        this.#tally.retries += 1;
        return;
      case "step.completed":
        countStep(this.#tally, row.payload);
        return this.#ended(this.screen.fold.nodeOf(row), row);
      case "notice":
        return isNew ? this.#whole(`  ${noticeLine(row.payload, this.#paint)}`) : undefined;
      case "permission.requested":
        this.#titles.set(row.payload.permission, row.payload);
        return;
      case "permission.resolved":
        return isNew ? this.#answered(row.payload) : undefined;
      case "run.completed":
        return row.run === this.#options.run ? this.#over(row.payload, row.at) : undefined;
      default:
    }
  }

  #ended(node: StepNode | null, row: Exchange<RowOf<"step.completed">>): void {
    if (node === null || node.above !== null) return;
    this.#release();
    const why = row.payload.status === "skipped" ? (row.payload.error?.message ?? "") : "";
    this.#cut(this.#line(node, 1, row.at) + (why === "" ? "" : `: ${safeLine(why)}`));
    const failures = this.#failures(node, 2, row.at).slice(0, MOST_LINES);
    if (row.payload.status === "failed") this.#held = failures;
    else this.#lines.push(...this.#asked(failures));
  }
  /** What failed in a step, and why. */
  #failures(node: StepNode, depth: number, now: number): AboveLine[] {
    const margin = "  ".repeat(depth);
    if (node.failed.length > 0) {
      const rest = node.failed.length - MOST_FAILURES;
      const lines = node.failed
        .slice(0, MOST_FAILURES)
        .flatMap((child) => [
          { text: this.#line(child, depth, now), cuts: true },
          ...this.#failures(child, depth + 1, now),
        ]);
      const more = { text: `${margin}${this.#paint.dim(`… and ${count(rest, "other")} failed`)}`, cuts: true };
      return rest > 0 ? [...lines, more] : lines;
    }
    if (node.end?.status !== "failed") return [];
    const reason = reasonLine(node.end);
    const tail = this.screen.tailOf(node, FEW_LINES).map(({ text }) => `${this.#paint.dim("│")} ${text}`);
    return [...(reason === null ? [] : [reason]), ...tail].map((text) => ({ text: margin + text, cuts: false }));
  }
  #line(node: StepNode, depth: number, now: number): string {
    return "  ".repeat(depth) + lineOfStep(this.screen, node, { now, isAlive: true, paint: this.#paint });
  }
  /** The run continues after a failure. */
  #release(): void {
    this.#lines.push(...this.#asked(this.#held));
    this.#held = [];
  }
  #answered({ permission, option }: RowOf<"permission.resolved">["payload"]): void {
    const question = this.#titles.get(permission);
    if (question === undefined) return;
    this.#titles.delete(permission);
    const answer = question.options.find(({ id }) => id === option)?.name ?? "no answer";
    this.#whole(`  ${this.#paint.dim(`${safeLine(question.title)} ${safeLine(answer)}`)}`);
  }
  #over(end: RowOf<"run.completed">["payload"], at: number): void {
    if (end.began === false) return;
    if (end.status === "failed") this.#held = [];
    else this.#release();
    const worked = this.screen.workedMs(at);
    const { tokens } = this.screen.fold.total.sum();
    for (const line of endLines(end, end.workflow, worked, { ...this.#tally, tokens }, this.#paint)) this.#whole(line);
    if (end.status !== "failed") return;
    const failed = this.screen.fold.causes(FAILURE_LINES);
    const named = this.#options.keeps ? this.#options.run : null;
    for (const line of failureLines(failed, named, this.#paint)) this.#whole(line);
  }

  #cut(text: string): void {
    this.#add({ text, cuts: true });
  }
  #whole(text: string): void {
    this.#add({ text, cuts: false });
  }
  #add(line: AboveLine): void {
    this.#lines.push(...this.#asked([line]));
  }
  #asked(lines: readonly AboveLine[]): readonly AboveLine[] {
    return this.#options.amount === "steps" || this.screen.end !== null ? lines : [];
  }
}

/** As wide as the terminal is; null cuts nothing. */
export const aboveText = (lines: readonly AboveLine[], columns: number | null): string =>
  lines.map(({ text, cuts }) => `${cuts ? shorten(text, columns) : text}\n`).join("");
