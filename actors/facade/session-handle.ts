/** A handle on one session: what the facade lets a face ask of it. */
import type { Observable } from "rxjs";
import type { Limits } from "../../machines/budget/budget.ts";
import type { Prompt, SessionInput } from "../../machines/contracts.ts";
import type { Block, Exchange, Frame } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Setup } from "../../machines/settings.ts";
import type { Recover } from "../../machines/workflow/document.ts";
import type { Attendance, Reservation, Session, Viewer } from "../api/facade.ts";
import type { Consent, Missing, PromptRequest, Question, RerunRequest, SessionOption } from "../api/records.ts";
import { type LogOptions, logOf } from "../follow/log.ts";
import type { Delivery } from "../host/host.ts";
import { maskedError } from "../masking/errors.ts";
import { missingOf } from "../prompt/missing.ts";
import { interruptedIn, lastingOf, placeOf, titleOf } from "./committed.ts";
import type { OpenPrompt, TurnEnd } from "./open-prompt.ts";
import { answerText, hasAsked, openQuestions, refuseClosed } from "./questions.ts";
import { permissionNotOpen, refuse, refuseElsewhere } from "./refuse.ts";
import type { Runtime } from "./runtime.ts";
import { choose, equip, optionsOf } from "./sessions/chosen.ts";
import { goingOn } from "./sessions/continuing.ts";
import { decide } from "./sessions/decide.ts";
import { named, promptAsks, runOf, takenIn } from "./sessions/prompting.ts";
import { recallWritten } from "./sessions/recall.ts";
import { rerunIntent, rerunText } from "./sessions/rerun.ts";
import { cancel, rested } from "./sessions/resting.ts";
import { askedRun, budgeted, type RunGiven, runText, type ValuedRequest } from "./sessions/running.ts";
import { tell } from "./sessions/tell.ts";
import { titleFor, titleOfFork, titleSettled } from "./sessions/title.ts";
import { since } from "./since.ts";
import { subjectOf } from "./subject.ts";

type PromptIntent = Prompt["asks"];

export class SessionHandle implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly #key: Key;
  readonly #runtime: Runtime;
  /** As the log names who answers and decides here, whatever face they use. */
  readonly #who: string | undefined;
  #run = "";
  /** Secrets of files that its runs have read are known again. */
  #isRecalled = false;
  /** It is known to have a name. */
  #isNamed = false;
  #turnEnd: Promise<TurnEnd> | undefined;
  /** `principal`: who reaches it. */
  constructor(runtime: Runtime, id: string, cwd: string, principal = runtime.user) {
    this.#runtime = runtime;
    this.#who = subjectOf(principal);
    this.id = id;
    this.cwd = cwd;
    this.#key = `session/${id}`;
  }

  readonly head = (): number => this.#runtime.host.head(this.#key);
  readonly title = (): string => titleOf(this.#runtime, this.#key);
  readonly interrupted = (): string | null => interruptedIn(this.#runtime, this.#key);
  since(at: number): number {
    const { host } = this.#runtime;
    // Most often nothing is: the log need not be read.
    return at >= this.head() && host.sessions.read(this.#key)?.value === "idle" ? at : since(host, this.#key, at);
  }
  rows(after: number, limit: number): Exchange[] {
    return this.#runtime.host.rows(this.#key, after, limit);
  }
  log$(options: LogOptions = {}): Observable<readonly Frame[]> {
    return logOf(this.#runtime, this.#key, options);
  }
  async missing(blocks: PromptRequest["blocks"]): Promise<Missing | null> {
    const { host, catalogue, releases } = this.#runtime;
    await releases.cancelling(this.#key);
    // To a run that waits, any prompt is an answer.
    if (host.sessions.read(this.#key)?.value !== "idle") return null;
    return missingOf(catalogue, this.cwd, takenIn(this.#runtime, blocks));
  }
  attend(viewer: Viewer): Attendance {
    const { live } = this.#runtime;
    const name = live.attend(this.#key, viewer);
    const isAsked = (): boolean => live.find(this.#key)?.asked === name;
    return {
      get isAsked() {
        return isAsked();
      },
      reserve: () => this.#reserve(name),
      refuseAwaited: () => live.find(this.#key)?.refuseAwaited(name),
      answered: async () => live.find(this.#key)?.awaited(name),
      decide: async (permission, option) => {
        if (!isAsked()) throw permissionNotOpen(permission, option);
        await this.decide(permission, option);
      },
      leave: ({ graceMs } = { graceMs: 0 }) => live.find(this.#key)?.leave(name, graceMs),
    };
  }
  #reserve(by: string): Reservation {
    const live = this.#runtime.live.of(this.#key);
    const reserved = live.reserve(by);
    return {
      withdrawn: reserved.taken.signal,
      turn: () => reserved.turn,
      ended: reserved.end.promise,
      prompt: (request) => this.#prompt(request, reserved),
      answered: () => live.answered(reserved),
    };
  }
  prompt(request: PromptRequest): Promise<{ turn: string }> {
    return this.#prompt(request);
  }
  #prompt(request: PromptRequest, reserved?: OpenPrompt): Promise<{ turn: string }> {
    const taken = takenIn(this.#runtime, request?.blocks);
    const prompting = { session: this.#key, request, taken, place: placeOf(this.#runtime, this.#key, this.cwd) };
    const asking = (turn: string) => promptAsks(this.#runtime, { ...prompting, turn });
    return this.#turn(taken.blocks, asking, reserved);
  }
  async run(request: ValuedRequest, given: RunGiven = {}): Promise<{ turn: string }> {
    return this.#turn([{ type: "text", text: runText(request) }], (turn) =>
      askedRun(this.#runtime, request, { ...given, session: this.#key, cwd: this.cwd, turn }),
    );
  }
  async rerun(run: string, request: RerunRequest): Promise<{ turn: string }> {
    return this.#turn([{ type: "text", text: rerunText(run, request) }], (turn) =>
      rerunIntent(this.#runtime, { ...request, run }, { session: this.#key, cwd: this.cwd, turn }),
    );
  }
  resume(recover: Recover, budget?: Limits, consent?: Consent): Promise<{ turn: string }> {
    const asks = { type: "resume", recover, ...(budget === undefined ? {} : { budget }) } as const;
    const place = { session: this.#key, cwd: this.cwd, consent };
    return this.#turn([{ type: "text", text: "resume" }], goingOn(this.#runtime, place, asks));
  }
  options(): Promise<SessionOption[]> {
    return optionsOf(this.#runtime, this.#key, this.cwd);
  }
  async choose(option: string, value: string): Promise<void> {
    refuse(await choose(this.#runtime, this.#key, { cwd: this.cwd, option, value }), this.id);
  }
  /** Takes what the session's client brings from now on. */
  async equip(setup: Setup): Promise<void> {
    const delivery = await equip(this.#runtime, this.#key, setup);
    if (delivery !== null) refuse(delivery, this.id);
  }
  /** What a session that continues this one under another name begins with. */
  async forked(): Promise<{ fork: NonNullable<SessionInput["fork"]>; setup: Setup }> {
    const { settings, setup } = lastingOf(this.#runtime, this.#key);
    const title = await titleOfFork(this.title(), this.#key, this.#runtime.host);
    return { fork: { session: this.id, settings, title }, setup };
  }
  questions(): Question[] {
    const { host } = this.#runtime;
    return host.sessions.read(this.#key)?.value === "parked" ? openQuestions(host, this.#key) : [];
  }
  /** A question is in the log before its turn has ended: resolves when it has; at once where it asked none. */
  async asked(): Promise<void> {
    const { host } = this.#runtime;
    if (host.sessions.isOwn(this.#key) && hasAsked(host, this.#key)) await this.#rest();
  }
  async answer(question: string, text: string, who = this.#who, consent?: Consent): Promise<{ turn: string }> {
    const { host, live } = this.#runtime;
    const words = answerText(text);
    const asks = { type: "answer", input: `input/${question}`, text: words, who } as const;
    const place = { session: this.#key, cwd: this.cwd, consent };
    refuseClosed(host, this.#key, question);
    try {
      return await this.#turn([{ type: "text", text: words }], goingOn(this.#runtime, place, asks));
    } catch (error) {
      await live.find(this.#key)?.running?.sent.promise; // another answer may be on its way
      refuseClosed(host, this.#key, question); // who answered first has won
      throw error;
    }
  }

  decide(permission: string, option: string | null, who = this.#who): Promise<void> {
    return decide(this.#runtime, this.#key, { permission, option, who });
  }

  readonly tell: Session["tell"] = (request) => tell(this.#runtime, this.#key, request);

  async cancel(): Promise<void> {
    refuseElsewhere(await this.#cancel("write"), this.id);
  }
  async #cancel(how: "send" | "write" = "send"): Promise<Delivery> {
    this.#runtime.live.find(this.#key)?.cancel();
    return await cancel(this.#runtime, this.#key, how);
  }
  async forget(): Promise<void> {
    const { host } = this.#runtime;
    if ((host.sessions.read(this.#key)?.remembered.length ?? 0) > 0)
      await host.send(this.#key, { type: "memory.cleared" });
  }
  close(): Promise<void> {
    return this.#rest(() => this.#cancel());
  }
  #rest(begin?: () => Promise<unknown>): Promise<void> {
    return rested(this.#runtime, this.#key, this.ended(), begin);
  }
  /** The end of the turn in flight, if one of this process is. */
  ended(): Promise<TurnEnd> | undefined {
    return this.#runtime.live.find(this.#key)?.running?.end.promise;
  }

  /** The end of the turn that this handle started last; it may have ended already. */
  turnEnd(): Promise<TurnEnd> | undefined {
    return this.#turnEnd;
  }

  /** The id that was given to the run of that turn. */
  runId(): string {
    return this.#run;
  }

  /** What the session is called from this prompt on; "" where it has a name, which it keeps. */
  async #newTitle(blocks: readonly Block[]): Promise<string> {
    if (this.#isNamed) return "";
    const title = await titleFor(this.#runtime, { session: this.#key, cwd: this.cwd }, blocks);
    this.#isNamed = title === "" && this.title() !== "";
    return title;
  }

  /** Reserved before anything is awaited; durable when it resolves. */
  async #turn(
    blocks: Block[],
    asking: (turn: string) => Promise<PromptIntent>,
    reserved?: OpenPrompt,
  ): Promise<{ turn: string }> {
    const { host, options, mask, releases } = this.#runtime;
    const turn = options.ids("turn");
    const live = this.#runtime.live.of(this.#key);
    const open = reserved ?? live.reserve(null);
    this.#turnEnd = open.end.promise;
    live.begin(open, turn);
    try {
      if (!this.#isRecalled) await recallWritten(this.#runtime, this.#key, this.cwd);
      this.#isRecalled = true;
      const cancelling = releases.cancelling(this.#key);
      if (cancelling !== undefined) await Promise.race([cancelling, open.end.promise]);
      const asks = named(budgeted(await asking(turn), this.#runtime.budget()), options.ids);
      this.#run = runOf(asks) ?? this.#run;
      const title = await this.#newTitle(blocks);
      const event = { type: "prompt.received", turn, title, blocks, asks, who: this.#who };
      refuse(await host.send(this.#key, event), this.id);
    } catch (error) {
      throw live.fail(maskedError(error, mask));
    } finally {
      open.sent.resolve();
      titleSettled(this.#runtime, this.#key);
    }
    live.durable();
    return { turn };
  }
}
