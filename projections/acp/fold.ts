/**
 * The session log as ACP updates: a fold over batches of frames. One path serves live, catching up and replay.
 *
 * I1. Joined over time, the text shown for a message is the text of its block, however live chunks, rows and pages
 *     were dealt out (`text-offsets.ts`).
 * I2. Every card is closed before the turn's `ended`.
 * I3. A row of an unknown type is counted and shown once.
 * I4. A reader who comes while something runs holds in the end what one holds that was there all along: rows behind it
 *     are taken in without being shown, then what stands is shown (cards, plan, questions), whole, once.
 */
import type { Exchange, Frame, RowOf, TextRow } from "../../machines/exchange.ts";
import { isLive, isText } from "../../machines/exchange.ts";
import { type Causes, Failures } from "../runs/failures.ts";
import { rerunWords } from "../runs/rerun-words.ts";
import { toldLine } from "../runs/told-words.ts";
import { Callers } from "./callers.ts";
import { Cards, sooner } from "./cards.ts";
import { Joining, type JoinsAt } from "./joining.ts";
import { endOfRunLines, endOfTurnLine, kindOf, noticeLine, unknownLine, unknownUpdateLine } from "./lines.ts";
import { Plan } from "./plan.ts";
import { Questions } from "./questions.ts";
import { Spending } from "./spending.ts";
import { Steps } from "./steps.ts";
import { Talk } from "./talk.ts";
import type { TerminalPlace } from "./terminal-output.ts";
import { Ahead, TextOffsets } from "./text-offsets.ts";
import { Tools } from "./tools.ts";
import { textBlock, thoughtChunk, titleUpdate, userChunks, type View } from "./view.ts";

export type FoldOptions = {
  /** Asked for the words of each turn: false when the reader itself has sent them. */
  echoUser: (turn: string) => boolean;
  /**
   * Whether a turn follows the one before it, which ended with the row `end`, without words of a person in between, for
   * this reader: an answer to a form has begun it, or the reader's own words stand before that end.
   */
  follows?: (turn: string, end: number) => boolean;
  /** Of what is said after the row where it comes in: what the reader was shown before, by block id. */
  shown?: ReadonlyMap<string, number>;
  /** Where the reader comes in, if not at the first row that is read here. */
  joins?: JoinsAt;
  /** What terminals of the reader itself are marked with: others are nothing that it could show. */
  terminals?: string;
  /** Where commands run, for a reader that shows their output in terminals by `_meta`. */
  terminalOutput?: TerminalPlace;
  /** `keeps` false: no later process finds a run. `page`: where the reader's user has a page of runs, now. */
  keeps?: boolean;
  page?: () => string | null;
  /** What the session has cost, where the reader was not shown all of it. */
  spending?: Spending;
};

export class Fold {
  readonly #options: FoldOptions;
  readonly #ahead: Ahead;
  readonly #joining: Joining;
  readonly #spoken: TextOffsets;
  readonly #cards: Cards;
  readonly #callers = new Callers();
  readonly #steps: Steps;
  readonly #tools: Tools;
  readonly #questions: Questions;
  readonly #plan = new Plan();
  readonly #talk = new Talk();
  readonly #spending: Spending;
  readonly #unknown = new Set<string>();
  readonly #runs = new Set<string>();
  readonly #failures: Failures;
  /** The row that ended the last turn. */
  #turnEnd = 0;

  constructor(options: FoldOptions) {
    this.#options = options;
    this.#failures = new Failures(options.keeps ?? true);
    this.#spending = options.spending ?? new Spending();
    this.#cards = new Cards(options.terminalOutput ?? null);
    this.#steps = new Steps(this.#cards, this.#callers);
    this.#questions = new Questions(this.#cards, this.#callers, options.page ?? (() => null));
    this.#tools = new Tools(this.#cards, options.terminals ?? null);
    this.#spoken = new TextOffsets(new Map());
    this.#ahead = new Ahead(options.shown ?? new Map());
    this.#joining = new Joining(options.joins ?? null, [this.#cards, this.#plan, this.#questions, this.#spending]);
  }

  /** What a batch shows. `now` is the scheduler's time in milliseconds. */
  take(frames: readonly Frame[], now: number): View[] {
    const views: View[] = [];
    for (const paced of [this.#cards, this.#plan]) paced.begin(now);
    for (const frame of frames) {
      const isBehind = this.#joining.isBehind;
      const shown = isBehind ? [] : views;
      const causes = this.#failures.see(frame);
      if (isText(frame)) this.#say(frame, shown);
      else if (!isLive(frame)) this.#row(frame, causes, shown);
      if (isBehind) this.#joining.pass(frame, views);
    }
    if (this.#joining.isBehind) return [];
    this.#plan.flush(views);
    this.#cards.flush(views);
    return views;
  }

  /** Milliseconds until `take` has something to show even without frames; null when it has not. */
  due(): number | null {
    return this.#joining.isBehind ? null : sooner(this.#cards.due(), this.#plan.due());
  }

  #say(frame: Frame & TextRow, views: View[]): void {
    const spoken = this.#spoken.of(frame);
    const text = this.#spoken.fresh(spoken, frame);
    if (text === "") return;
    const { run = "", step } = frame;
    switch (frame.type) {
      case "message.assistant": {
        const card = step === undefined ? null : this.#steps.speaker(run, step, views);
        if (card !== null) return this.#cards.speak(card, spoken.id, text);
        return this.#talk.say(spoken.id, this.#ahead.beyond(spoken, text), views);
      }
      case "message.thought": {
        // A card has no place for thoughts: they would push out what the step says.
        if (step !== undefined && this.#steps.speaker(run, step, views) !== null) return;
        const rest = this.#ahead.beyond(spoken, text);
        if (rest !== "") views.push(thoughtChunk(spoken.id, rest));
        return;
      }
      case "tool.update": {
        const { call } = frame.payload;
        const card = call === undefined ? this.#steps.output(run, step ?? "", views) : this.#tools.output(frame, call);
        if (card !== undefined) this.#cards.say(card, text);
        return;
      }
      default:
        frame satisfies never;
    }
  }
  #row(row: Exchange, causes: Causes, views: View[]): void {
    this.#steps.release(row, views);
    this.#plan.used(row);
    switch (row.type) {
      case "session.opened":
      case "turn.started":
      case "run.rerun":
      case "message.assistant":
      case "message.thought":
        return;
      case "session.updated":
        if (row.payload.title !== undefined) views.push(titleUpdate(row.payload.title, row.at));
        if (row.payload.mode !== undefined || row.payload.options !== undefined) views.push({ chosen: true });
        return;
      case "message.user":
        return this.#user(row, views);
      case "run.started":
        this.#runs.add(row.run ?? "");
        if (row.parentRun === undefined) this.#plan.start(row.run ?? "", row.payload.plan);
        if (row.payload.rerun) this.#talk.write(`${row.run}#rerun`, rerunWords(row.payload.rerun), views, "between");
        return;
      case "run.completed":
        return this.#runEnded(row, views);
      case "step.started":
        this.#plan.started(row);
        return this.#steps.start(row, views);
      case "step.call_workflow.started":
        return this.#steps.call(row, views);
      case "step.call_workflow.completed":
        return this.#callers.forget(row);
      case "step.retrying":
        this.#spending.ended(row);
        this.#steps.retry(row, views);
        return void views.push({ retrying: row.payload });
      case "step.completed":
        this.#plan.ended(row);
        this.#spending.ended(row);
        return this.#steps.end(row, causes, views);
      case "tool.call":
      case "tool.update":
      case "tool.result":
        if (!("block" in row.payload)) this.#tools.show(row as Parameters<Tools["show"]>[0], views);
        return;
      case "permission.requested":
        return this.#questions.ask(row, views);
      case "permission.resolved":
        return this.#questions.answer(row, views);
      case "input.required":
        if (row.payload.prompt === "") return;
        return this.#talk.ask(`input/${row.payload.input}`, row.payload.prompt, views);
      case "input.answered":
        return this.#spending.ended(row); // its words are its turn's prompt
      case "usage.recorded":
        return this.#spending.show(row, views);
      case "budget.noted":
        return; // what a person needs of it is said in notices and questions
      case "notice":
        if (row.payload.kept !== undefined) return this.#other(kindOf(row.payload.kept), unknownUpdateLine, views);
        if (row.payload.severity !== "info")
          this.#talk.write(`notice/${row.seq}`, noticeLine(row.payload), views, "between");
        return;
      case "turn.completed":
        return this.#turnEnded(row, views);
      default:
        return this.#other((row satisfies never as Exchange).type, unknownLine, views);
    }
  }
  #user({ step = "", payload }: RowOf<"message.user">, views: View[]): void {
    if ("tell" in payload) return this.#talk.write(`tell/${payload.tell}`, toldLine(step, payload), views, "between");
    this.#talk.begin(this.#options.follows?.(payload.turn, this.#turnEnd));
    if (this.#options.echoUser(payload.turn)) views.push(...userChunks(payload));
  }
  #runEnded(row: Exchange<RowOf<"run.completed">>, views: View[]): void {
    const { run = "", payload } = row;
    const { status, began } = payload;
    this.#runs.delete(run);
    this.#cards.closeWhere((card) => card.run === run, { status }, views);
    this.#plan.finish(run);
    // Why one never began is said by its turn.
    if (row.parentRun !== undefined || began === false) return;
    this.#plan.flush(views);
    const said = endOfRunLines(payload, this.#failures.last, this.#talk.isAlive);
    for (const [name, text] of said) this.#talk.write(`${run}#${name}`, text, views);
  }

  #turnEnded({ seq, payload: { turn, stopReason, error } }: Exchange<RowOf<"turn.completed">>, views: View[]): void {
    this.#turnEnd = seq;
    const status = stopReason === "end_turn" && error === undefined ? "completed" : "cancelled";
    const goesOn = this.#runs.size > 0;
    this.#questions.withdraw(views);
    this.#cards.closeWhere(() => true, { status }, views);
    if (error?.code === LOST) this.#steps.cutOff();
    this.#plan.settle(views);
    this.#talk.end(`${turn}#end`, endOfTurnLine(stopReason, error, goesOn), views);
    if (!goesOn) for (const kept of [this.#steps, this.#callers, this.#spoken]) kept.clear();
    views.push({ ended: turn, stopReason, error: error ?? null, goesOn, ...this.#failures.ofTurn() });
  }

  #other(type: string, lineOf: (type: string) => string, views: View[]): void {
    views.push({ unknown: type });
    const line = lineOf(type);
    if (this.#unknown.has(line)) return;
    this.#unknown.add(line);
    const content = textBlock(line);
    views.push({ update: { sessionUpdate: "agent_thought_chunk", content, _meta: { "troupe/unknown": type } } });
  }
}

/** Its process has ended. */
const LOST = "SYSTEM.PROCESS.LOST";
