/**
 * One session, shown to the client: its log, projected, becomes `session/update`.
 *
 * I1. A turn's end is told after every update of that turn has been handed to the writer.
 * I2. A client that does not read pauses the follower; nothing is gathered for it.
 * I3. Questions are asked while a prompt of this connection runs; a question that was answered meanwhile is not, nor
 *     is one from before the prompt: the log asks it anew when its run goes on.
 */

import { asyncScheduler, Subject, type Subscription } from "rxjs";
import type { Follower, Frame, Session, TurnResult } from "../../actors/troupe.ts";
import { acpUpdates } from "../../projections/acp/updates.ts";
import type { Question, View } from "../../projections/acp/view.ts";
import type { LineWriter } from "./writer.ts";

export type TurnEnd = Pick<TurnResult, "stopReason" | "error">;
/** Asks the client; the signal says that the answer is no longer wanted. */
export type Ask = (question: Question, signal: AbortSignal) => void;

export class Watch {
  readonly #session: Session;
  readonly #writer: LineWriter;
  readonly #follower: Follower;
  readonly #views: Subscription;
  #seq: number;
  /** Ends of turns that nobody has asked for yet, while a prompt runs. */
  readonly #ends = new Map<string, TurnEnd>();
  #wanted: { turn: string; resolve: (end: TurnEnd) => void } | null = null;
  #reached: { seq: number; resolve: () => void }[] = [];
  #ask: Ask | null = null;
  readonly #open = new Map<string, { question: Question; asked: AbortController | null }>();

  /** `alone`: no other process writes to the session while this watch lives. */
  constructor(session: Session, writer: LineWriter, { after, alone }: { after: number; alone: boolean }) {
    this.#session = session;
    this.#writer = writer;
    this.#seq = after;
    const frames$ = new Subject<readonly Frame[]>();
    this.#views = acpUpdates(frames$, { scheduler: asyncScheduler, echoUser: () => this.#ask === null }).subscribe(
      (views) => this.#show(views),
    );
    const push = (frames: readonly Frame[]): void => {
      frames$.next(frames);
      writer.flush();
      this.#note(frames);
      writer.throttle(this.#follower);
    };
    this.#follower = session.follow({ seq: after, shown: new Map() }, push, { alone });
  }

  /** From now on until `prompted` this connection's own prompt runs: it is not echoed, and questions are asked. */
  prompting(ask: Ask): void {
    this.#ask = ask;
    this.#open.clear();
  }
  prompted(): void {
    this.#ask = null;
    this.#wanted = null;
    this.#ends.clear();
  }

  /** Resolves when the turn's last update has been sent. */
  end(turn: string): Promise<TurnEnd> {
    const end = this.#ends.get(turn);
    if (end !== undefined) return Promise.resolve(end);
    return new Promise((resolve) => {
      this.#wanted = { turn, resolve };
    });
  }
  /** Resolves when the log up to this row has been sent. */
  reached(seq: number): Promise<void> {
    if (seq <= this.#seq) return Promise.resolve();
    return new Promise((resolve) => this.#reached.push({ seq, resolve }));
  }

  close(): void {
    this.#follower.close();
    this.#views.unsubscribe();
    this.#writer.forget(this.#follower);
    for (const { asked } of this.#open.values()) asked?.abort();
    this.#open.clear();
  }

  #show(views: View[]): void {
    const { id } = this.#session;
    for (const view of views) {
      if ("update" in view) this.#writer.update(id, view.update);
      else if ("ended" in view) this.#ended(view.ended, { stopReason: view.stopReason, error: view.error });
      else if ("permission" in view) this.#question(view.permission);
      else if ("resolved" in view) this.#answered(view.resolved);
      else view satisfies { unknown: string };
    }
    this.#writer.flush();
  }

  #ended(turn: string, end: TurnEnd): void {
    if (this.#wanted?.turn === turn) this.#wanted.resolve(end);
    else if (this.#ask !== null) this.#ends.set(turn, end);
  }

  #question(question: Question): void {
    const open = { question, asked: null };
    this.#open.set(question.permission, open);
    // At the end of the tick: where the answer stands in the same page of the log, nothing is asked.
    setImmediate(() => this.#put(open));
  }
  #put(open: { question: Question; asked: AbortController | null }): void {
    if (this.#ask === null || open.asked !== null || this.#open.get(open.question.permission) !== open) return;
    open.asked = new AbortController();
    this.#ask(open.question, open.asked.signal);
  }
  #answered(permission: string): void {
    this.#open.get(permission)?.asked?.abort();
    this.#open.delete(permission);
  }

  #note(frames: readonly Frame[]): void {
    for (let i = frames.length - 1; i >= 0; i--) {
      const frame = frames[i];
      if (frame === undefined || !("seq" in frame)) continue;
      this.#seq = frame.seq;
      break;
    }
    if (this.#reached.length === 0) return;
    const reached = this.#reached.filter(({ seq }) => seq <= this.#seq);
    this.#reached = this.#reached.filter(({ seq }) => seq > this.#seq);
    for (const { resolve } of reached) resolve();
  }
}
