/** The fold behind `terminalLines`: what each row of open runs and steps looks like. */
import { type Exchange, type Frame, isLive, isText, type RowOf, type TextRow } from "../../machines/exchange.ts";
import { Downtime } from "../runs/downtime.ts";
import { RunFold } from "../runs/tree.ts";
import { ToolLines } from "./calls.ts";
import { FAILURE_LINES, failureLines } from "./failure-lines.ts";
import { HeldReasons } from "./held-reasons.ts";
import { INDENT, OpenRuns, within } from "./open-runs.ts";
import type { TerminalOptions } from "./options.ts";
import { type Paint, paint } from "./paint.ts";
import { askedIn, endLines, header, labelOf, stepEnd, stepStart } from "./run-words.ts";
import { safeLine } from "./safe.ts";
import { Sheet } from "./sheet.ts";
import { Speech } from "./speech.ts";
import { addTally, countStep, Tokens } from "./tally.ts";
import { noticeLine, retryLine, toldLines } from "./tool-words.ts";
import { shorten, widthOf } from "./width.ts";

/** Rows that say more of calls, or come between a call and its first word without a reader's notice. */
const LEAVES_CALLS: { readonly [type in Exchange["type"]]?: false } = {
  "tool.call": false,
  "tool.update": false,
  "tool.result": false,
  "usage.recorded": false,
};
/** Rows beside which a step speaks on. */
const GOES_ON: { readonly [type in Exchange["type"]]?: true } = { "tool.update": true, "usage.recorded": true };
const plain = (text: string): string => text;

export class RunLines {
  readonly #sheet = new Sheet();
  readonly #speech = new Speech(this.#sheet);
  readonly #paint: Paint;
  readonly #options: Required<TerminalOptions>;
  readonly #open: OpenRuns;
  readonly #questions = new Map<string, RowOf<"permission.requested">["payload"]>();
  readonly #calls: ToolLines;
  #fold: RunFold | null = null;
  readonly #reasons = new HeldReasons();
  readonly #down = new Downtime();
  readonly #tokens = new Tokens();

  constructor(options: TerminalOptions) {
    this.#options = { after: 0, bright: false, keeps: true, ...options };
    this.#paint = paint(options.colours);
    this.#open = new OpenRuns(options.colours);
    this.#calls = new ToolLines(this.#paint);
  }

  show(frames: readonly Frame[]): string[] {
    for (const frame of frames) {
      if (isLive(frame)) {
        this.#text(frame, true);
        continue;
      }
      this.#row(this.#down.leftOut(frame));
      if (frame.seq <= this.#options.after) this.#sheet.drop();
    }
    return this.#sheet.take();
  }

  /** Nothing more comes. */
  end(): string[] {
    this.#speech.finish();
    this.#sheet.close();
    return this.#sheet.take();
  }

  #row(row: Exchange): void {
    this.#fold?.see(row);
    for (const { depth, text } of this.#reasons.release(row)) this.#line(depth, text);
    if (!isText(row) && GOES_ON[row.type] !== true) this.#speech.settle(stepKey(row));
    if (LEAVES_CALLS[row.type] !== false) this.#called(row, this.#calls.leave(stepKey(row)));
    switch (row.type) {
      case "session.opened":
      case "session.updated":
      case "turn.started":
      case "turn.completed":
      case "run.rerun":
      case "budget.noted":
      // The called run's own first and last row stand beside these, and say all that they say.
      case "step.call_workflow.started":
      case "step.call_workflow.completed":
        return;
      case "message.user":
        for (const text of toldLines(row, this.#paint)) this.#under(row, text);
        return;
      case "input.answered":
        return this.#tokens.next(stepKey(row));
      case "run.started":
        return this.#runStarted(row);
      case "run.completed":
        return this.#runCompleted(row);
      case "step.started":
        return this.#stepStarted(row);
      case "step.completed":
        return this.#stepCompleted(row);
      case "step.retrying":
        this.#open.run(row).tally.retries += 1;
        this.#tokens.next(stepKey(row));
        this.#speech.end(stepKey(row));
        return this.#under(row, this.#paint.yellow(retryLine(row.payload)));
      case "message.assistant":
      case "message.thought":
        return this.#text(row, false);
      case "tool.update":
        if (isText(row)) return this.#text(row, false);
        return "block" in row.payload ? undefined : this.#called(row, this.#calls.more(stepKey(row), row.payload));
      case "tool.call":
        return this.#called(row, this.#calls.begin(stepKey(row), row.payload));
      case "tool.result":
        return this.#called(row, this.#calls.end(stepKey(row), row.payload));
      case "permission.requested":
        this.#questions.set(row.payload.permission, row.payload);
        return;
      case "permission.resolved":
        return this.#answered(row);
      case "input.required":
        // Without a prompt the words that stand before it are the question.
        this.#speech.end(stepKey(row));
        if (row.payload.prompt === "") return this.#sheet.close();
        return this.#under(row, `${this.#paint.yellow("?")} ${safeLine(askedIn(row.payload))}`);
      case "usage.recorded":
        this.#open.run(row).tally.tokens += this.#tokens.more(stepKey(row), row.payload);
        return;
      case "notice":
        return this.#under(row, noticeLine(row.payload, this.#paint));
      default:
        row satisfies never;
        this.#line(1, this.#paint.dim(`(a row of an unknown kind: ${safeLine(String((row as Exchange).type))})`));
    }
  }

  #runStarted(row: Exchange<RowOf<"run.started">>): void {
    if (row.parentRun === undefined) this.#fold = new RunFold(row.run ?? "");
    const parent = this.#open.known(row.parentRun);
    const step = parent?.steps.get(row.parentStep ?? "");
    const depth = parent === undefined ? 0 : (step?.depth ?? parent.depth + 1) + 1;
    const caller = parent === undefined || step?.parallel !== true ? null : within(parent, step.label);
    const run = this.#open.begin(row.run, { at: row.at, depth, caller });
    this.#title(depth, header(row, within(run, row.payload.workflow), parent === undefined, this.#paint));
  }

  #runCompleted(row: Exchange<RowOf<"run.completed">>): void {
    if (row.payload.began === false) return; // its turn says why
    const run = this.#open.run(row);
    const parent = this.#open.known(row.parentRun);
    if (parent !== undefined) addTally(parent.tally, run.tally);
    const label = within(run, row.payload.workflow);
    const ms = run.at === null ? null : row.at - run.at;
    for (const line of endLines(row.payload, label, ms, run.tally, this.#paint)) this.#line(run.depth, line);
    if (row.parentRun === undefined && row.payload.status === "failed") this.#failed(row);
  }

  #stepStarted(row: Exchange<RowOf<"step.started">>): void {
    const run = this.#open.run(row);
    const { step: path = "" } = row;
    const { parallel, name, round } = row.payload;
    const label = within(run, labelOf(path, name, round));
    const depth = run.depth + 1 + path.split("/").length - 1;
    run.steps.set(path, { at: row.at, depth, parallel, label });
    this.#title(depth, stepStart(row.payload, label, this.#paint));
  }

  #stepCompleted(row: Exchange<RowOf<"step.completed">>): void {
    const run = this.#open.run(row);
    const { step: path = "", payload } = row;
    this.#speech.end(stepKey(row));
    countStep(run.tally, payload);
    const step = run.steps.get(path);
    const label = step?.label ?? within(run, labelOf(path, payload.name));
    const facts = { ms: step ? row.at - step.at : null, used: this.#fold?.nodeOf(row)?.total.sum() };
    this.#line(this.#open.depth(row), stepEnd(payload, label, facts, this.#paint));
    this.#reasons.hold(row, this.#open.depth(row) + 1);
    run.steps.delete(path);
  }

  /** What the run failed of. */
  #failed(row: Exchange<RowOf<"run.completed">>): void {
    this.#reasons.drop();
    const failed = this.#fold?.causes(FAILURE_LINES) ?? [];
    for (const line of failureLines(failed, this.#options.keeps ? (row.run ?? "") : null, this.#paint))
      this.#line(0, line);
  }

  #text(row: TextRow, live: boolean): void {
    if (row.run === undefined) return;
    const { call, stream } = row.payload;
    if (call === undefined) this.#called(row, this.#calls.leave(stepKey(row)));
    // What a tool of an agent prints belongs to its card, not to the conversation.
    else if (stream === undefined) return this.#called(row, this.#calls.more(stepKey(row), { call }));
    const whole = this.#open.step(row)?.parallel ?? false;
    const isQuiet = row.type === "message.thought" || (row.payload.stream === "stderr" && !this.#options.bright);
    this.#speech.hear(row, live, {
      step: stepKey(row),
      margin: this.#open.margin(row),
      style: isQuiet ? this.#paint.dim : plain,
      whole,
    });
  }

  #called(row: { run?: string; step?: string }, lines: ReturnType<ToolLines["leave"]>): void {
    for (const { title, deeper, text } of lines) {
      const { columns: most } = this.#options;
      const left = most === null || !title ? null : most - widthOf(this.#open.margin(row)) - INDENT.length * deeper;
      this.#under(row, INDENT.repeat(deeper) + shorten(text, left));
    }
  }

  #answered(row: Exchange<RowOf<"permission.resolved">>): void {
    const question = this.#questions.get(row.payload.permission);
    if (question === undefined || row.run === undefined) return;
    this.#questions.delete(row.payload.permission);
    const answer = question.options.find(({ id }) => id === row.payload.option)?.name ?? "no answer";
    const title = this.#open.step(row)?.parallel ? question.title : within(this.#open.run(row), question.title);
    this.#under(row, this.#paint.dim(`${safeLine(title)} ${safeLine(answer)}`));
  }

  #under(row: { run?: string; step?: string }, text: string): void {
    this.#sheet.line(this.#open.margin(row) + text);
  }
  #line(depth: number, text: string): void {
    this.#sheet.line(INDENT.repeat(depth) + text);
  }

  /** A line that may be cut: what it leaves out can be read elsewhere. */
  #title(depth: number, text: string): void {
    const { columns: most } = this.#options;
    this.#line(depth, shorten(text, most === null ? null : most - INDENT.length * depth));
  }
}

const stepKey = ({ run = "", step = "" }: { run?: string; step?: string }): string => `${run} ${step}`;
