/**
 * What a run asks, answered in place: a decision by its number, words by typing them.
 *
 * I1. Nothing is left out of what is decided by; an answer counts only when all of it could be seen.
 * I2. A question that was answered elsewhere meanwhile says so, and changes nothing.
 * I3. Words stay until they are taken: an answer that is refused, or left for later, can be mended and sent.
 */
import { filter, firstValueFrom, from, merge } from "rxjs";
import { type Frame, type Question, type RunRecord, type Troupe, TroupeError } from "../../../actors/troupe.ts";
import { consentLines } from "../../../projections/terminal/consent.ts";
import { questionLines } from "../../../projections/terminal/question.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { wrap } from "../../../projections/terminal/width.ts";
import type { KeyHint, UiPlace } from "../../../projections/ui/frame.ts";
import { EditedText, marked } from "../edited.ts";
import type { UiStage, UiView } from "../view.ts";
import { withSecrets } from "./secrets-view.ts";

/** What was typed and not sent, by its question; it outlives a view (I3). */
export type Drafts = Map<string, EditedText>;

export class AnswerView implements UiView {
  readonly #troupe: Troupe;
  readonly #stage: UiStage;
  #run: RunRecord;
  readonly #drafts: Drafts;
  #line: EditedText;
  /** An answer is on its way. */
  #isSending = false;
  #isClosed = false;
  /** The first line that is shown; null as it comes: a decision from its beginning on, words where one types. */
  #top: number | null = null;
  #last = 0;
  /** The line in which one types. */
  #typedAt = 0;
  #height = 1;

  constructor(troupe: Troupe, run: RunRecord, stage: UiStage, drafts: Drafts) {
    this.#troupe = troupe;
    this.#run = run;
    this.#drafts = drafts;
    this.#line = draftOf(run, drafts);
    this.#stage = stage;
  }

  get keys(): readonly KeyHint[] {
    const back: KeyHint = ["esc", "later"];
    if (this.#run.permissions.length === 0)
      return [
        ["enter", "answer"],
        ...(this.#last > 0 ? [["↑↓", "scroll"] as const] : []),
        ...(this.#run.questions[0]?.form === undefined ? [["empty", "ends it"] as const] : []),
        back,
      ];
    return [["1-9", "decide"], ["↑↓", "scroll"], back];
  }
  get pasted(): "lines" | undefined {
    return this.#run.permissions.length === 0 ? "lines" : undefined;
  }
  title(): string {
    return `${safeLine(this.#run.workflow)} ${this.#run.id.slice(0, 8)} asks`;
  }
  right(): readonly string[] {
    return this.#last === 0 ? [] : [`line ${this.#at + 1} of ${this.#last + this.#height}`];
  }
  lines({ width, height, colours }: UiPlace): readonly string[] {
    const lines = this.#question(width, colours);
    this.#height = height;
    this.#last = Math.max(0, lines.length - height);
    return lines.slice(this.#at, this.#at + height);
  }
  press(key: string): boolean {
    const [permission] = this.#run.permissions;
    if (key === "escape") {
      this.#stage.back();
      return true;
    }
    const to = this.#moves(permission !== undefined)[key];
    if (to !== undefined) {
      this.#top = Math.max(0, Math.min(this.#last, to));
      return true;
    }
    if (permission === undefined) return this.#type(key);
    const option = /^[1-9]$/.test(key) ? permission.options[Number(key) - 1] : undefined;
    if (option === undefined) return false;
    if (this.#at < this.#last) this.#stage.say("read to its end first: ↓");
    else this.#done(this.#decide(permission.permission, option.id), `decided: ${option.name}`);
    return true;
  }

  /** Where one is: what is typed stays in view. */
  get #at(): number {
    return Math.min(this.#last, this.#top ?? (this.#run.permissions.length > 0 ? 0 : this.#typedAt));
  }
  /** Of a decision nothing is jumped over on the way to its end (I1). */
  #moves(isDecision: boolean): { readonly [key: string]: number } {
    const [at, page] = [this.#at, Math.max(1, this.#height)];
    const moves = { up: at - 1, down: at + 1, pageup: at - page, pagedown: at + page };
    return isDecision ? { ...moves, k: at - 1, j: at + 1, home: 0, g: 0, " ": at + page } : moves;
  }
  #question(width: number, colours: boolean): string[] {
    const options = { colours, columns: width };
    const [permission] = this.#run.permissions;
    if (permission !== undefined) return consentLines(permission, options);
    const [question] = this.#run.questions;
    if (question === undefined) return [];
    const above = [...questionLines(question, { ...options, words: true }), ""];
    const typed = marked(this.#line.sides, (text) =>
      text.split("\n").flatMap((line, at) => wrap(`${at === 0 ? ">" : " "} ${safeLine(line)}`, width)),
    );
    this.#typedAt = above.length + typed.at;
    return [...above, ...typed.lines];
  }
  close(): void {
    this.#isClosed = true;
  }
  #type(key: string): boolean {
    if (this.#isSending) return true;
    this.#top = null;
    if (key === "enter") this.#stage.doing(this.#send());
    else return this.#line.press(key);
    return true;
  }
  async #send(): Promise<void> {
    const [question] = this.#run.questions;
    this.#isSending = true;
    try {
      const log = await this.#troupe.log(this.#run.id);
      const after = log.head();
      const answer = { text: this.#line.text, ...(question === undefined ? {} : { question: question.input }) };
      const sent = await withSecrets(this.#stage, (inputs) => this.#troupe.answer(this.#run.id, { ...answer, inputs }));
      if (sent === null) throw new TroupeError("USER.INPUT.MISSING", "nothing was sent: the run waits as before");
      if (question !== undefined) this.#drafts.delete(question.input);
      this.#stage.carrying(sent.done);
      if (question?.form === undefined) return this.#leave();
      const hasLeft$ = log.log$({ after }).pipe(filter((frames) => frames.some((frame) => leaves(frame, question))));
      await firstValueFrom(merge(from(sent.done), hasLeft$));
      await this.#next(question);
    } finally {
      this.#isSending = false;
    }
  }
  /** Of several questions the next one is asked where the last one was; what comes after them is elsewhere. */
  async #next({ step }: Question): Promise<void> {
    const record = await this.#troupe.status(this.#run.id);
    const [next] = record.questions;
    if (next?.form === undefined || next.step !== step || record.permissions.length > 0) return this.#leave();
    this.#run = record;
    this.#line = draftOf(record, this.#drafts);
    this.#top = null;
    this.#stage.redraw();
  }
  #leave(): void {
    if (this.#isClosed) return;
    this.#stage.back();
    this.#stage.say("answered");
  }
  async #decide(permission: string, option: string): Promise<void> {
    const session = await this.#troupe.open(this.#run.session);
    await session.decide(permission, option);
  }
  #done(work: Promise<unknown>, words: string): void {
    this.#stage.back();
    this.#stage.doing(work.then(() => this.#stage.say(words)));
  }
}

function draftOf({ questions: [question] }: RunRecord, drafts: Drafts): EditedText {
  const draft = (question && drafts.get(question.input)) ?? new EditedText();
  if (question !== undefined) drafts.set(question.input, draft);
  return draft;
}

/** Whether a run is past the step that has asked, or asks for a decision. */
function leaves(frame: Frame, { run, step }: Question): boolean {
  if (!("seq" in frame)) return false;
  if (frame.type === "step.completed") return frame.run === run && frame.step === step;
  return frame.type === "permission.requested" || frame.type === "run.completed";
}
