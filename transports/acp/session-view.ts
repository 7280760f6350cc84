/**
 * One session, shown to the client: its log, projected, becomes `session/update`.
 *
 * I1. A turn's end is reported after every update of that turn has been handed to the writer.
 * I2. A client that does not read pauses the log; nothing is gathered for it.
 * I3. Questions are asked while the session says that this connection is asked; one that was answered meanwhile is
 *     not, nor is one from before its prompt: the log asks it anew when its run is resumed, and an answer to what was
 *     asked before is none to that. What is kept of them is the requests that the client has not answered.
 * I4. A question that has been asked of the client is not asked of it a second time.
 * I5. A client that comes while something runs is not shown what was said before, and holds what stands: the log is
 *     read from where that began, by the same projection.
 */

import {
  asyncScheduler,
  BehaviorSubject,
  EMPTY,
  filter,
  firstValueFrom,
  type Observable,
  ReplaySubject,
  Subject,
  Subscription,
  tap,
} from "rxjs";
import type { Frame, RowOf, Session, TurnResult } from "../../actors/troupe.ts";
import { type CursorPlace, cursorPlaces } from "../../projections/acp/cursor.ts";
import { inOrder, type TurnSignal } from "../../projections/acp/order.ts";
import { Spending } from "../../projections/acp/spending.ts";
import { acpUpdates } from "../../projections/acp/updates.ts";
import type { PermissionView, View } from "../../projections/acp/view.ts";
import type { FailedRun } from "../../projections/runs/failures.ts";
import { inSeq } from "../../projections/shared/in-seq.ts";
import { cursorMessage } from "./cursor.ts";
import type { Outgoing, Pausable } from "./outgoing.ts";
import { OwnTurns } from "./own-turns.ts";
import type { Switches } from "./profile.ts";

export type TurnEnd = Pick<TurnResult, "stopReason" | "error"> & { failed?: FailedRun; goesOn?: boolean };
/** Asks the client; the signal says that the answer is no longer wanted. */
export type AskClient = (question: PermissionView, signal: AbortSignal) => void;

/**
 * `after`: the last row that is not shown. `shown`: what the client has beyond it. `cursors`: it hears where it is.
 */
export type SessionViewOptions = {
  after: number;
  shown?: CursorPlace["shown"];
  cursors?: boolean;
  switches: Switches;
  /** Called when something was chosen for the session. */
  chosen: () => void;
  /** How the client is asked; null while it is not. */
  asking: () => AskClient | null;
  /** Called when a step is tried again. */
  retrying: (payload: RowOf<"step.retrying">["payload"]) => void;
  /** Called when the log cannot be shown any further. */
  broken: () => void;
  /** What the client's own terminals are marked with. */
  terminals: string;
  /** A later process finds the session's runs. */
  keeps: boolean;
  /** Where the user's page of runs is served now. */
  page: () => string | null;
  /** The client shows the output of commands in terminals that `_meta` announces. */
  showsTerminalOutput: boolean;
};

/** One count for all views of a session: each continues where the last one ended. */
const spent = new WeakMap<Session, Spending>();
function spentIn(session: Session): Spending {
  const known = spent.get(session) ?? new Spending((after, limit) => session.rows(after, limit));
  spent.set(session, known);
  return known;
}

export const CLOSED = new Error("the connection is closed");
type Ended = Extract<View, { ended: string }>;

export class SessionView {
  readonly #session: Session;
  readonly #writer: Outgoing;
  readonly #options: SessionViewOptions;
  readonly #shown = new Subscription();
  readonly #turns$ = new Subject<TurnSignal>();
  /** The last row of what is shown again from before; null once it was shown. */
  #replaysTo: number | null;
  readonly #at$: BehaviorSubject<number>;
  readonly #own = new OwnTurns();
  /** The last row that was shown when the prompt that runs began. */
  #promptedAt = 0;
  /** Ends of turns since the prompt that runs began; null while none does. */
  #ends$: ReplaySubject<Ended> | null = null;
  readonly #source: Pausable;
  #isAtRest: boolean;
  /** By permission: what was asked of the client, or is at the end of this tick. */
  readonly #requests = new Map<string, AbortController>();

  constructor(session: Session, writer: Outgoing, options: SessionViewOptions) {
    const { after, shown = {}, cursors = false, switches, terminals, showsTerminalOutput, keeps, page } = options;
    this.#session = session;
    this.#writer = writer;
    this.#options = options;
    const begins = session.since(after);
    this.#at$ = new BehaviorSubject(begins);
    this.#isAtRest = begins === after;
    const paused$ = new BehaviorSubject(false);
    this.#source = { pause: () => paused$.next(true), resume: () => paused$.next(false) };
    const updates = acpUpdates({
      scheduler: asyncScheduler,
      echoUser: (turn) => !this.#own.has(turn),
      follows: (turn, end) => this.#own.has(turn) && end > this.#promptedAt,
      shown: new Map(Object.entries(shown)),
      terminals,
      keeps,
      page,
      ...(begins < after ? { joins: { after, title: session.title() || null } } : {}),
      ...(showsTerminalOutput ? { terminalOutput: { cwd: session.cwd } } : {}),
      ...(after === 0 ? {} : { spending: spentIn(session) }),
    });
    // Of each batch, in this order: what it shows, where the client is then, and how far the log was read.
    const frames$ = new Subject<readonly Frame[]>();
    this.#reads(frames$.pipe(updates, inOrder(switches, this.#turns$)), (views) => this.#show(views));
    if (cursors)
      this.#reads(frames$.pipe(cursorPlaces({ seq: after, shown }, begins)), (place) =>
        writer.send(cursorMessage(session.id, place)),
      );
    this.#reads(frames$, (frames) => this.#read(frames));
    const head = session.head();
    this.#replaysTo = after < head ? head : null;
    if (this.#replaysTo !== null) this.#turns$.next({ replays: true });
    // The facade notifies a viewer of other processes: this view need not look for them.
    const log$ = session.log$({ after: begins, paused$, sent: writer.flush, alone: true });
    this.#shown.add(log$.pipe(inSeq(begins)).subscribe(frames$));
  }
  #reads<Seen>(seen$: Observable<Seen>, take: (seen: Seen) => void): void {
    this.#shown.add(seen$.pipe(tap(take)).subscribe({ error: (why: unknown) => this.#break(why) }));
  }

  /** The last row that was shown. */
  get at(): number {
    return this.#at$.value;
  }
  /** Whether nothing of the session is open, as far as the client was shown. */
  get isAtRest(): boolean {
    return this.#isAtRest;
  }
  /** From now on until `prompted` this connection's own prompt runs. `first` is shown before its updates. */
  prompting(first: readonly View[]): void {
    this.#promptedAt = Math.max(this.#at$.value, this.#options.after);
    this.#turns$.next({ begins: first });
    this.#ends$ = new ReplaySubject();
    this.#withdraw();
  }
  /** The turn that runs is being cancelled. */
  cancelled(): void {
    this.#turns$.next({ isCancelled: true });
  }
  /** A turn of that prompt is being sent on: it is not echoed. Where its id is not known yet, `end` says it. */
  sending(turn?: string): void {
    this.#own.send(turn);
  }
  prompted(): void {
    this.#own.forget();
    this.#turns$.next({ isAnswered: true });
    this.#ends$ = null;
  }

  /** Resolves when the turn's last update has been sent; rejects when the view ends before. */
  end(turn: string): Promise<TurnEnd> {
    this.#own.sent(turn);
    const ends$: Observable<Ended> = this.#ends$ ?? EMPTY;
    return firstValueFrom(ends$.pipe(filter(({ ended }) => ended === turn)));
  }
  /** Resolves when the log up to this row has been sent; rejects when the view ends before. */
  async reached(seq: number): Promise<void> {
    await firstValueFrom(this.#at$.pipe(filter((at) => at >= seq)));
  }
  /** Never resolves; rejects when the view ends. */
  async lost(): Promise<never> {
    await this.reached(Number.POSITIVE_INFINITY);
    throw CLOSED;
  }

  close(why: unknown = CLOSED): void {
    this.#shown.unsubscribe();
    this.#at$.error(why);
    this.#ends$?.error(why);
    this.#writer.forget(this.#source);
    this.#withdraw();
  }
  #break(why: unknown): void {
    this.close(why);
    this.#options.broken();
    // Who waits is answered with it, else the warning is all that is said. That a session was deleted was a wish.
    if ((why as { code?: unknown } | null)?.code !== "USER.SESSION.UNKNOWN")
      process.emitWarning(why instanceof Error ? why : String(why));
  }

  #show(views: View[]): void {
    for (const view of views) {
      if ("update" in view) this.#writer.update(this.#session.id, view.update);
      else if ("ended" in view) this.#ended(view);
      else if ("permission" in view) this.#question(view.permission);
      else if ("resolved" in view) this.#answered(view.resolved);
      else if ("chosen" in view) this.#options.chosen();
      else if ("retrying" in view) this.#options.retrying(view.retrying);
      else view satisfies { unknown: string };
    }
  }

  #ended(end: Ended): void {
    this.#isAtRest = !end.goesOn;
    this.#ends$?.next(end);
  }

  #question(question: PermissionView): void {
    if (this.#requests.has(question.permission)) return;
    const request = new AbortController();
    this.#requests.set(question.permission, request);
    // At the end of the tick: where the answer stands in the same page of the log, nothing is asked.
    setImmediate(() => this.#put(question, request));
  }
  #put(question: PermissionView, request: AbortController): void {
    if (this.#requests.get(question.permission) !== request) return;
    const ask = this.#options.asking();
    if (ask === null) this.#requests.delete(question.permission);
    else ask(question, request.signal);
  }
  #answered(permission: string): void {
    this.#requests.get(permission)?.abort();
    this.#requests.delete(permission);
  }
  #withdraw(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }

  #read(frames: readonly Frame[]): void {
    const last = frames.findLast((frame) => "seq" in frame);
    if (last !== undefined && "seq" in last) {
      if (this.#replaysTo !== null && last.seq >= this.#replaysTo) {
        this.#replaysTo = null;
        this.#turns$.next({ replays: false });
      }
      this.#at$.next(last.seq);
    }
    this.#writer.throttle(this.#source);
  }
}
