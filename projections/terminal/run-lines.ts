/** The fold behind `terminalLines`: which runs and steps are open, where they stand, and what each row looks like. */
import { type Exchange, type Frame, isLive, isText, type RowOf, type TextRow } from "../../machines/exchange.ts";
import type { TerminalOptions } from "./options.ts";
import { type Paint, paint } from "./paint.ts";
import { endLines, header, stepEnd, stepStart } from "./run-words.ts";
import { safeLine } from "./safe.ts";
import { Sheet } from "./sheet.ts";
import { Speech } from "./speech.ts";
import { nothing, type Tally } from "./tally.ts";
import { diffLine, noticeLine, retryLine } from "./tool-words.ts";
import { shorten } from "./words.ts";

type Step = { at: number; depth: number; parallel: boolean };
type Run = { at: number; depth: number; steps: Map<string, Step>; calls: number[]; tally: Tally };

const INDENT = "  ";
const plain = (text: string): string => text;

export class RunLines {
  readonly #sheet = new Sheet();
  readonly #speech = new Speech(this.#sheet);
  readonly #paint: Paint;
  readonly #columns: number | null;
  readonly #after: number;
  readonly #runs = new Map<string, Run>();
  readonly #questions = new Map<string, RowOf<"permission.requested">["payload"]>();
  readonly #titles = new Map<string, string>();

  constructor({ colours, columns, after = 0 }: TerminalOptions) {
    this.#paint = paint(colours);
    this.#columns = columns;
    this.#after = after;
  }

  show(frames: readonly Frame[]): string[] {
    for (const frame of frames) {
      if (isLive(frame)) {
        this.#text(frame, true);
        continue;
      }
      this.#row(frame);
      if (frame.seq <= this.#after) this.#sheet.drop();
    }
    return this.#sheet.take();
  }

  /** Nothing more comes. */
  end(): string[] {
    this.#sheet.close();
    return this.#sheet.take();
  }

  #row(row: Exchange): void {
    switch (row.type) {
      case "session.opened":
      case "session.updated":
      case "turn.started":
      case "turn.completed":
      case "message.user":
      case "input.answered":
        return;
      case "run.started":
        return this.#runStarted(row);
      case "run.completed":
        return this.#runCompleted(row);
      case "step.started":
        return this.#stepStarted(row);
      case "step.completed":
        return this.#stepCompleted(row);
      case "step.retrying":
        this.#run(row).tally.retries += 1;
        this.#speech.end(stepKey(row));
        return this.#line(this.#depth(row) + 1, this.#paint.yellow(retryLine(row.payload)));
      case "step.call_workflow.started":
      case "step.call_workflow.completed":
        return;
      case "message.assistant":
      case "message.thought":
        return this.#text(row, false);
      case "tool.update":
        return isText(row) ? this.#text(row, false) : undefined;
      case "tool.call":
        this.#titles.set(row.payload.call, row.payload.title);
        return this.#title(this.#depth(row) + 1, `${this.#paint.cyan("•")} ${safeLine(row.payload.title)}`);
      case "tool.result":
        return this.#toolResult(row);
      case "permission.requested":
        this.#questions.set(row.payload.permission, row.payload);
        return;
      case "permission.resolved":
        return this.#answered(row);
      case "input.required":
        // Without a prompt the words that stand before it are the question.
        this.#speech.end(stepKey(row));
        if (row.payload.prompt === "") return this.#sheet.close();
        return this.#line(this.#depth(row) + 1, `${this.#paint.yellow("?")} ${safeLine(row.payload.prompt)}`);
      case "usage.recorded": {
        const { totalTokens, inputTokens = 0, outputTokens = 0 } = row.payload;
        this.#run(row).tally.tokens += totalTokens ?? inputTokens + outputTokens;
        return;
      }
      case "notice":
        return this.#line(this.#depth(row) + 1, noticeLine(row.payload, this.#paint));
      default:
        return this.#unknown(row);
    }
  }

  #unknown(row: never): void {
    const { type } = row as { type: unknown };
    this.#line(1, this.#paint.dim(`(a row of an unknown kind: ${safeLine(String(type))})`));
  }

  #runStarted(row: Exchange<RowOf<"run.started">>): void {
    const parent = this.#runs.get(row.parentRun ?? "");
    const depth = parent === undefined ? 0 : (parent.calls.at(-1) ?? parent.depth) + 1;
    this.#runs.set(row.run ?? "", { at: row.at, depth, steps: new Map(), calls: [], tally: nothing() });
    this.#title(depth, header(row, parent === undefined, this.#paint));
  }

  #runCompleted(row: Exchange<RowOf<"run.completed">>): void {
    const run = this.#run(row);
    const parent = this.#runs.get(row.parentRun ?? "");
    if (parent !== undefined) addTally(parent.tally, run.tally);
    for (const line of endLines(row.payload, row.at - run.at, run.tally, this.#paint)) this.#line(run.depth, line);
  }

  #stepStarted(row: Exchange<RowOf<"step.started">>): void {
    const run = this.#run(row);
    const { step: path = "" } = row;
    const { kind, parallel } = row.payload;
    const depth = run.depth + 1 + path.split("/").length - 1;
    run.steps.set(path, { at: row.at, depth, parallel });
    if (kind === "call_workflow") run.calls.push(depth);
    this.#title(depth, stepStart(row.payload, path, this.#paint));
  }

  #stepCompleted(row: Exchange<RowOf<"step.completed">>): void {
    const run = this.#run(row);
    const { step: path = "" } = row;
    const { kind, status } = row.payload;
    this.#speech.end(stepKey(row));
    if (kind === "call_workflow") run.calls.pop();
    run.tally.steps += 1;
    if (status === "failed") run.tally.failed += 1;
    const started = run.steps.get(path)?.at ?? null;
    this.#line(this.#depth(row), stepEnd(row.payload, path, started === null ? null : row.at - started, this.#paint));
    run.steps.delete(path);
  }

  #text(row: TextRow, live: boolean): void {
    if (row.run === undefined) return;
    // What a tool of an agent prints belongs to its card, not to the conversation.
    if (row.payload.call !== undefined && row.payload.stream === undefined) return;
    const step = this.#runs.get(row.run)?.steps.get(row.step ?? "");
    const whole = step?.parallel ?? false;
    const name = (row.step ?? "").split("/").at(-1) ?? "";
    const margin = INDENT.repeat(this.#depth(row) + 1) + (whole ? this.#paint.dim(`${safeLine(name)} │ `) : "");
    const quiet = row.type === "message.thought" || row.payload.stream === "stderr";
    this.#speech.hear(row, live, { step: stepKey(row), margin, style: quiet ? this.#paint.dim : plain, whole });
  }

  #toolResult(row: Exchange<RowOf<"tool.result">>): void {
    const { call, status, content = [], title } = row.payload;
    const depth = this.#depth(row) + 2;
    for (const block of content) if (block.type === "diff") this.#line(depth, this.#paint.dim(diffLine(block)));
    if (status !== "failed") return;
    const said = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
    const reason = said === "" ? "" : `: ${safeLine(said)}`;
    const what = safeLine(title ?? this.#titles.get(call) ?? "the tool");
    this.#line(depth, `${this.#paint.red("✗")} ${what} failed${reason}`);
  }

  #answered(row: Exchange<RowOf<"permission.resolved">>): void {
    const question = this.#questions.get(row.payload.permission);
    if (question === undefined || row.run === undefined) return;
    this.#questions.delete(row.payload.permission);
    const option = question.options.find(({ id }) => id === row.payload.option);
    const answer = option?.name ?? "nobody answered";
    this.#line(this.#depth(row) + 1, this.#paint.dim(`${safeLine(question.title)} ${safeLine(answer)}`));
  }

  #run(row: { run?: string }): Run {
    const known = this.#runs.get(row.run ?? "");
    if (known !== undefined) return known;
    return { at: 0, depth: 0, steps: new Map(), calls: [], tally: nothing() };
  }

  #depth(row: { run?: string; step?: string }): number {
    const run = this.#run(row);
    const path = row.step ?? "";
    return path === "" ? run.depth : (run.steps.get(path)?.depth ?? run.depth + path.split("/").length);
  }

  #line(depth: number, text: string): void {
    this.#sheet.line(INDENT.repeat(depth) + text);
  }

  /** A line that may be cut: what it leaves out can be read elsewhere. */
  #title(depth: number, text: string): void {
    this.#line(depth, shorten(text, this.#columns === null ? null : this.#columns - INDENT.length * depth));
  }
}

const stepKey = ({ run = "", step = "" }: { run?: string; step?: string }): string => `${run} ${step}`;

function addTally(sum: Tally, part: Tally): void {
  sum.steps += part.steps;
  sum.failed += part.failed;
  sum.retries += part.retries;
  sum.tokens += part.tokens;
}
