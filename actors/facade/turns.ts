/**
 * The prompts of this process: the one place that says whether a session takes another one.
 *
 * I1. At most one turn of a session: it is reserved before anything is awaited and free again after its last row. A
 *     viewer has at most one prompt without an answer.
 * I2. A turn's result comes from its committed rows, or from the error that kept them from being written, or the turn
 *     from beginning.
 */
import type { AnyMachineSnapshot } from "xstate";
import type { Exchange } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import {
  type PromptEnding,
  type PromptFact,
  type PromptLifeEvent,
  promptMachine,
} from "../../machines/prompt-machine.ts";
import type { Question, RunResult, TurnResult } from "../api/records.ts";
import type { TroupeError } from "../errors/troupe-error.ts";
import { born, moved } from "../host/interpret.ts";
import { promptInFlight } from "./refuse.ts";

export type TurnEnd = TurnResult & { run: RunResult | null };
export type TurnsHost = {
  /** What a session's run waits for, as committed. */
  questions: (session: Key) => Question[];
  /** Ends the turn that runs in a session. */
  end: (session: Key, how: PromptEnding) => void;
};

/** One prompt, until its client has the answer. */
export class OpenPrompt {
  readonly session: Key;
  /** The attendance that prompts and waits for the answer. */
  readonly by: string | null;
  /** The id of its turn; "" before it was sent on. */
  turn = "";
  run: RunResult | null = null;
  readonly #taken = new AbortController();
  readonly #ended = Promise.withResolvers<TurnEnd>();
  readonly #answered = Promise.withResolvers<void>();
  readonly #end: (how: PromptEnding) => void;
  #state: AnyMachineSnapshot;

  /** `end` ends the turn that runs. */
  constructor(session: Key, by: string | null, end: (how: PromptEnding) => void) {
    this.session = session;
    this.by = by;
    this.#ended.promise.catch(() => undefined); // who wants the end awaits it
    this.#end = end;
    this.#state = born(promptMachine, { isAwaited: by !== null }).snapshot;
  }

  /** Aborted when it is taken back before it was sent on. */
  get withdrawn(): AbortSignal {
    return this.#taken.signal;
  }
  /** Its turn's end; rejects where it never begins, or its log cannot be written. */
  get ended(): Promise<TurnEnd> {
    return this.#ended.promise;
  }
  /** Resolves when its client has the answer. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }
  get keepsOthersOut(): boolean {
    return this.#state.hasTag("keeps others out");
  }
  get hasTurn(): boolean {
    return this.#state.hasTag("has a turn");
  }
  get isOver(): boolean {
    return this.#state.status === "done";
  }

  send(turn: string): void {
    this.turn = turn;
    this.note({ type: "prompt.sent" });
  }
  finish(end: TurnEnd): void {
    this.note({ type: "turn.ended" });
    this.#ended.resolve(end);
  }
  fail(reason: unknown): void {
    this.note({ type: "prompt.failed" });
    this.#ended.reject(reason);
  }
  note(event: PromptLifeEvent): void {
    if (this.isOver) return;
    const { snapshot, effects } = moved(promptMachine, this.#state, event);
    this.#state = snapshot;
    for (const effect of effects) if (effect.do === "append") this.#told(effect.row as unknown as PromptFact);
    if (this.isOver) this.#answered.resolve();
  }
  #told(fact: PromptFact): void {
    switch (fact.type) {
      case "prompt.withdrawn":
        return this.#taken.abort();
      case "end.due":
        return this.#end(fact.ending);
      default:
        fact satisfies never;
    }
  }
}

export class Turns {
  /** Those that are not over, by their session. */
  readonly #open = new Map<Key, OpenPrompt[]>();
  readonly #host: TurnsHost;
  constructor(host: TurnsHost) {
    this.#host = host;
  }

  /** `by`: the attendance that waits for the answer. Throws USER.PROMPT.IN_FLIGHT (I1). */
  reserve(session: Key, by: string | null = null): OpenPrompt {
    const others = this.#of(session);
    if (others.some((one) => one.keepsOthersOut || (by !== null && one.by === by))) throw promptInFlight(session);
    const prompt = new OpenPrompt(session, by, (how) => this.#host.end(session, how));
    this.#open.set(session, [...others, prompt]);
    void prompt.answered.then(() => this.#tidy(session));
    return prompt;
  }
  /** Throws USER.PROMPT.IN_FLIGHT while this attendance waits for an answer. */
  refuseAwaited(session: Key, by: string): void {
    if (this.#of(session).some((one) => one.by === by)) throw promptInFlight(session);
  }
  /** The prompt whose turn runs in a session or is about to. */
  get(session: Key): OpenPrompt | undefined {
    return this.#of(session).find((one) => one.hasTurn);
  }
  /** Those where a turn runs. */
  get sessions(): Key[] {
    return [...this.#open.keys()].filter((session) => this.get(session) !== undefined);
  }
  /** What runs in a session is to end; what was only reserved is taken back. */
  end(session: Key, ending: PromptEnding): void {
    for (const one of this.#of(session)) one.note({ type: "end.wanted", ending });
  }
  /** The attendance is over: what it has only reserved is taken back. */
  leave(session: Key, by: string): void {
    for (const one of this.#of(session))
      if (one.by === by && !one.hasTurn) one.note({ type: "end.wanted", ending: "session.deserted" });
  }
  /** A turn that never began: its `ended` rejects with the reason. Answers the reason. */
  release<Reason>(session: Key, reason: Reason): Reason {
    this.get(session)?.fail(reason);
    return reason;
  }

  note(session: Key, row: Exchange): void {
    if (row.type !== "turn.completed" && row.type !== "run.completed") return;
    const open = this.get(session);
    if (open === undefined) return;
    if (row.type === "run.completed") {
      // One that never began is told by its turn's own end.
      if (row.parentRun !== undefined || row.payload.began === false) return;
      const { status, exitCode, error, outputs, message } = row.payload;
      open.run = {
        run: row.run ?? "",
        outcome: { status, exitCode, ...(error ? { error } : {}) },
        outputs: outputs ?? {},
        message: message ?? null,
      };
      return;
    }
    if (row.payload.turn !== open.turn) return;
    const { turn, stopReason, error } = row.payload;
    const questions = open.run === null && error === undefined ? this.#host.questions(session) : [];
    open.finish({ turn, stopReason, error: error ?? null, questions, run: open.run });
  }

  /** The logs of these sessions cannot be written: the end of what is open in them will not be seen. */
  fail(error: TroupeError, sessions: Iterable<Key>): void {
    for (const session of sessions) this.release(session, error);
  }

  #of(session: Key): readonly OpenPrompt[] {
    return (this.#open.get(session) ?? []).filter((one) => !one.isOver);
  }
  #tidy(session: Key): void {
    const open = this.#of(session);
    if (open.length === 0) this.#open.delete(session);
    else this.#open.set(session, [...open]);
  }
}
