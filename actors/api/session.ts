/** A session as a face sees it: its log, its turns, what it asks and what answers that. */
import type { Observable } from "rxjs";
import type { Exchange, Frame } from "../../machines/exchange.ts";
import type { Recover } from "../../machines/workflow/document.ts";
import type { PromptBlock } from "../attachments/take.ts";
import type { LogOptions } from "../follow/log.ts";
import type { Attendance, Viewer } from "./attendance.ts";
import type {
  Missing,
  PromptRequest,
  Question,
  RerunRequest,
  RunRequest,
  SessionOption,
  TellAnswer,
  TellRequest,
  TurnResult,
} from "./records.ts";

/** One session. @example const session = await troupe.session({ cwd: process.cwd() }); */
export interface Session {
  readonly id: string;
  readonly cwd: string;
  /** What it is called, masked, on one line; "" before its first prompt. */
  title(): string;
  /** The workflow of a run that a crash cut off and that was not resumed yet; null where there is none. */
  interrupted(): string | null;
  /** The seq of the last committed row. */
  head(): number;
  /** The row behind which the run, or else the turn, that is open at the row `at` began; `at` where nothing is open. */
  since(at: number): number;
  /** At most `limit` rows of the log behind `after`, oldest first. */
  rows(after: number, limit: number): Exchange[];
  /**
   * The log from a row on, as it grows: a batch of frames a tick, rows in the order of their seqs. The only door to live
   * frames: a text comes in these as it is said, and again in the row that keeps it, with the same `block` and `offset`.
   * `paused$` is the reader's back-pressure. Errors with a `TroupeError` when the session was deleted, or its log cannot be
   * written.
   * @example session.log$({ after: 0 }).subscribe((frames) => frames.forEach(show));
   */
  log$(options?: LogOptions): Observable<readonly Frame[]>;
  /**
   * While a viewer attends it, turns continue; one that was lost may come back within a grace.
   * @example
   * const attendance = session.attend({ turnBegins: (after) => showFrom(after) });
   * const reserved = attendance.reserve();
   * await reserved.prompt({ blocks: [{ type: "text", text: "/hello" }], consent: "ask" });
   * const { stopReason } = await reserved.ended;
   * reserved.answered();
   */
  attend(viewer: Viewer): Attendance;
  /**
   * Starts a turn; durable when it resolves with the turn's id. The turn's end is its row `turn.completed`.
   * Throws USER.PROMPT.IN_FLIGHT before anything is awaited when a turn of this session runs.
   */
  prompt(request: PromptRequest): Promise<{ turn: string }>;
  /** What a person could still be asked for before this prompt is sent; null when there is nothing. */
  missing(blocks: PromptBlock[]): Promise<Missing | null>;
  /** A turn that runs one workflow by its identifier. */
  run(request: RunRequest): Promise<{ turn: string }>;
  /**
   * A turn that does a run of this session again, as a new run that takes over what stands before its beginning. Throws
   * USER.RUN.NOT_FOUND, USER.RUN.NOT_RERUNNABLE, and USER.RUN.CHANGED with what does not fit any more.
   */
  rerun(run: string, request: RerunRequest): Promise<{ turn: string }>;
  /** A turn that resumes the interrupted run. `recover` answers for steps whose policy is `ask`. Throws USER.TRUST.REQUIRED. */
  resume(recover: Recover): Promise<{ turn: string }>;
  /** What can be chosen for the runs of this session, and what is. */
  options(): Promise<SessionOption[]>;
  /** Chooses for the runs that begin from now on; durable when it resolves. Throws USER.SESSION.OPTION. @example await session.choose("model", "claude/opus"); */
  choose(option: string, value: string): Promise<void>;
  /** What the run of this session waits for, oldest first; empty unless it is parked. */
  questions(): Question[];
  /**
   * A turn that answers an open question by its id; empty text ends a conversation. Throws, and changes nothing,
   * USER.FACADE.DUPLICATE_RESPONSE for one that was answered and USER.FACADE.INPUT_REJECTED for one that is not open.
   * `who`: as the log names who answered; by default the name of the token that the session was reached with.
   */
  answer(question: string, text: string, who?: string): Promise<{ turn: string }>;
  /** Answers an open permission of any process by an option's id; null, of this process only: no one is left to answer. @example const [open] = (await troupe.status(run)).permissions; if (open) await session.decide(open.permission, "allow"); */
  decide(permission: string, option: string | null, who?: string): Promise<void>;
  /**
   * Says something to an agent that works, in any process; durable when it resolves. Throws USER.TELL.NOBODY where none
   * works, USER.TELL.AMBIGUOUS where several do and none is named, USER.INPUT.EMPTY, USER.PROMPT.TOO_LARGE.
   * @example const { reach } = await session.tell({ step: "review", text: "Look at the tests too." });
   */
  tell(request: TellRequest): Promise<TellAnswer>;
  /**
   * Cancels what runs, also in another process. Durable when it resolves; the turn ends with its row. Throws
   * USER.SESSION.BUSY_ELSEWHERE where that process does not read.
   */
  cancel(): Promise<void>;
  /** The end of the turn that this process runs in the session; rejects when the log cannot be written. */
  ended(): Promise<TurnResult> | undefined;
  /** Forgets which tool calls were allowed or refused for good. */
  forget(): Promise<void>;
  /** Cancels what runs and waits for its end. The record stays loadable. Idempotent. */
  close(): Promise<void>;
}
