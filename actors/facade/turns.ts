/**
 * The turns that this process has started and not seen the end of.
 *
 * I1. At most one turn of a session: it is reserved before anything is awaited and free again after its last row.
 * I2. A turn's result comes from its committed rows, or from the error that kept them from being written, or the turn
 *     from beginning.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { idOf, type Key } from "../../machines/model.ts";
import type { Question, RunResult, TurnResult } from "../api/records.ts";
import { TroupeError } from "../errors/troupe-error.ts";

export type TurnEnd = TurnResult & { run: RunResult | null };
type OpenTurn = {
  turn: string;
  run: RunResult | null;
  /** What is to end it, when that came before the turn's prompt was durable. */
  ending: "cancel.requested" | "session.deserted" | null;
  ended: Promise<TurnEnd>;
  resolve: (end: TurnEnd) => void;
  reject: (reason: unknown) => void;
};

export class Turns {
  readonly #open = new Map<Key, OpenTurn>();
  readonly #questions: (session: Key) => Question[];
  /** `questions`: what a session's run waits for, as committed. */
  constructor(questions: (session: Key) => Question[]) {
    this.#questions = questions;
  }

  /** Throws USER.PROMPT.IN_FLIGHT when the session has a turn (I1). */
  reserve(session: Key, turn: string): OpenTurn {
    if (this.#open.has(session)) {
      const id = idOf(session);
      throw new TroupeError(
        "USER.PROMPT.IN_FLIGHT",
        "a prompt of this session is still running: wait for its end or cancel it",
        { session: id },
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>();
    promise.catch(() => undefined); // who wants the end awaits it
    const open: OpenTurn = { turn, run: null, ending: null, ended: promise, resolve, reject };
    this.#open.set(session, open);
    return open;
  }
  get(session: Key): OpenTurn | undefined {
    return this.#open.get(session);
  }
  get sessions(): Key[] {
    return [...this.#open.keys()];
  }
  /** A turn that never began: who waits for its end is told why. Answers the reason. */
  release<Reason>(session: Key, reason: Reason): Reason {
    this.#open.get(session)?.reject(reason);
    this.#open.delete(session);
    return reason;
  }

  note(session: Key, row: Exchange): void {
    if (row.type !== "turn.completed" && row.type !== "run.completed") return;
    const open = this.#open.get(session);
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
    this.#open.delete(session);
    const { turn, stopReason, error } = row.payload;
    const questions = open.run === null && error === undefined ? this.#questions(session) : [];
    open.resolve({ turn, stopReason, error: error ?? null, questions, run: open.run });
  }

  /** The logs of these sessions cannot be written: nobody will see the end of what is open in them. */
  fail(error: TroupeError, sessions: Iterable<Key>): void {
    for (const session of sessions) this.release(session, error);
  }
}
