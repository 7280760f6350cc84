/**
 * One session, shown to the client: its log, projected, becomes `session/update`.
 *
 * I1. A turn's end is told after every update of that turn has been handed to the writer.
 * I2. A client that does not read pauses the follower; nothing is gathered for it.
 * I3. Questions are asked while the session says that this connection is asked; one that was answered meanwhile is
 *     not, nor is one from before its prompt: the log asks it anew when its run goes on.
 * I4. A question that has been asked of the client is not asked of it a second time.
 * I5. A client that comes while something runs is not shown what was said before, and holds what stands: the log is read
 *     from where that began, by the same projection.
 */

import { asyncScheduler, Subject, type Subscription } from "rxjs";
import type { Follower, Frame, RowOf, Session, TurnResult } from "../../actors/troupe.ts";
import { Spending } from "../../projections/acp/spending.ts";
import { acpUpdates } from "../../projections/acp/updates.ts";
import type { PermissionView, View } from "../../projections/acp/view.ts";
import { type CursorPlace, CursorTracker } from "./cursor.ts";
import type { Order } from "./order.ts";
import type { Outgoing } from "./outgoing.ts";

export type TurnEnd = Pick<TurnResult, "stopReason" | "error">;
/** Asks the client; the signal says that the answer is no longer wanted. */
export type AskClient = (question: PermissionView, signal: AbortSignal) => void;

/**
 * `after`: the last row that is not shown. `shown`: what the client has beyond it. `cursors`: it is told where it is.
 */
export type SessionViewOptions = {
  after: number;
  shown?: CursorPlace["shown"];
  cursors?: boolean;
  /** Called when something was chosen for the session. */
  chosen: () => void;
  /** Called when a step is tried again. */
  retrying: (payload: RowOf<"step.retrying">["payload"]) => void;
  order: Order;
  /** What the client's own terminals are marked with. */
  terminals: string;
  /** The client shows the output of commands in terminals that are told by `_meta`. */
  showsTerminalOutput: boolean;
};

/** One count for all watches of a session: each goes on where the last one ended. */
const spent = new WeakMap<Session, Spending>();
function spentIn(session: Session): Spending {
  const known = spent.get(session) ?? new Spending((after, limit) => session.rows(after, limit));
  spent.set(session, known);
  return known;
}

export const CLOSED = new Error("the connection is closed");

export class SessionView {
  readonly #session: Session;
  readonly #writer: Outgoing;
  readonly #follower: Follower;
  readonly #views: Subscription;
  readonly #chosen: () => void;
  readonly #retrying: SessionViewOptions["retrying"];
  readonly #order: Order;
  #seq: number;
  #isAtRest: boolean;
  /** Ends of turns that nobody has asked for yet, while a prompt runs. */
  readonly #ends = new Map<string, TurnEnd>();
  #wanted: { turn: string; resolve: (end: TurnEnd) => void; reject: (error: Error) => void } | null = null;
  #reached: { seq: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  #ask: AskClient | null = null;
  #isPrompting = false;
  #closed = false;
  readonly #open = new Map<string, { question: PermissionView; asked: AbortController | null }>();

  constructor(
    session: Session,
    writer: Outgoing,
    { after, shown = {}, cursors = false, chosen, retrying, order, terminals, showsTerminalOutput }: SessionViewOptions,
  ) {
    this.#session = session;
    this.#writer = writer;
    const begins = session.since(after);
    this.#seq = begins;
    this.#isAtRest = begins === after;
    this.#chosen = chosen;
    this.#retrying = retrying;
    this.#order = order;
    const frames$ = new Subject<readonly Frame[]>();
    const cursor = cursors ? new CursorTracker(session.id, { seq: after, shown }) : null;
    this.#views = acpUpdates(frames$, {
      scheduler: asyncScheduler,
      echoUser: () => !this.#isPrompting,
      shown: new Map(Object.entries(shown)),
      terminals,
      ...(begins < after ? { joins: { after, title: session.title() || null } } : {}),
      ...(showsTerminalOutput ? { terminalOutput: { cwd: session.cwd } } : {}),
      ...(after === 0 ? {} : { spending: spentIn(session) }),
    }).subscribe((views) => this.#show(views));
    const push = (frames: readonly Frame[]): void => {
      frames$.next(frames);
      this.#note(frames);
      const place = cursor?.after(frames);
      if (place !== undefined && this.#seq >= after) writer.send(place);
      writer.throttle(this.#follower);
    };
    // Whoever attends a session hears of other processes: nobody has to look for them here.
    const following = { alone: true, sent: writer.flush };
    this.#follower = session.follow({ seq: begins, shown: new Map() }, push, following);
  }

  /** Whether nothing of the session is open, as far as the client was shown. */
  get isAtRest(): boolean {
    return this.#isAtRest;
  }
  /** From now on until `prompted` this connection's own prompt runs: it is not echoed. `first` is told before its updates. */
  prompting(first: readonly View[]): void {
    this.#order.begin(first);
    this.#isPrompting = true;
    this.#open.clear();
  }
  /** The turn that runs is being cancelled. */
  cancelled(): void {
    this.#order.cancel();
  }
  /** What the log asks is asked of the client; null: it is not. */
  asks(ask: AskClient | null): void {
    this.#ask = ask;
  }
  prompted(): void {
    this.#isPrompting = false;
    this.#wanted = null;
    this.#ends.clear();
  }

  /** Resolves when the turn's last update has been sent; rejects when the watch is closed before. */
  end(turn: string): Promise<TurnEnd> {
    const end = this.#ends.get(turn);
    if (end !== undefined) return Promise.resolve(end);
    return new Promise((resolve, reject) => {
      if (this.#closed) reject(CLOSED);
      else this.#wanted = { turn, resolve, reject };
    });
  }
  /** Resolves when the log up to this row has been sent; rejects when the watch is closed before. */
  reached(seq: number): Promise<void> {
    if (seq <= this.#seq) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (this.#closed) reject(CLOSED);
      else this.#reached.push({ seq, resolve, reject });
    });
  }

  close(): void {
    this.#closed = true;
    this.#wanted?.reject(CLOSED);
    for (const { reject } of this.#reached.splice(0)) reject(CLOSED);
    this.#follower.close();
    this.#views.unsubscribe();
    this.#writer.forget(this.#follower);
    for (const { asked } of this.#open.values()) asked?.abort();
    this.#open.clear();
  }

  #show(views: View[]): void {
    const { id } = this.#session;
    for (const view of this.#order.take(views)) {
      if ("update" in view) this.#writer.update(id, view.update);
      else if ("ended" in view) this.#ended(view);
      else if ("permission" in view) this.#question(view.permission);
      else if ("resolved" in view) this.#answered(view.resolved);
      else if ("chosen" in view) this.#chosen();
      else if ("retrying" in view) this.#retrying(view.retrying);
      else view satisfies { unknown: string };
    }
  }

  #ended({ ended: turn, stopReason, error, goesOn }: Extract<View, { ended: string }>): void {
    const end = { stopReason, error };
    this.#isAtRest = !goesOn;
    if (this.#wanted?.turn === turn) this.#wanted.resolve(end);
    else if (this.#isPrompting) this.#ends.set(turn, end);
  }

  #question(question: PermissionView): void {
    if (this.#open.get(question.permission)?.asked) return;
    const open = { question, asked: null };
    this.#open.set(question.permission, open);
    // At the end of the tick: where the answer stands in the same page of the log, nothing is asked.
    setImmediate(() => this.#put(open));
  }
  #put(open: { question: PermissionView; asked: AbortController | null }): void {
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
