/** The types of the facade: what every face of Troupe asks, and what it gets. `troupe.ts` makes one. */
import type { Exchange } from "../../machines/exchange.ts";
import type { ActorSeen } from "../../machines/inspection.ts";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Setup } from "../../machines/settings.ts";
import type { PromptBlock } from "../attachments/take.ts";
import type { LogOptions, PauseSource } from "../follow/log.ts";
import type { Agents } from "./agents.ts";
import type { Attendance, Reservation, Viewer } from "./attendance.ts";
import type { Checkup } from "./checkup.ts";
import type { EngineWork } from "./engine-work.ts";
import type { Packs } from "./packs.ts";
import type {
  AnswerOptions,
  HistoryQuery,
  RerunRequest,
  ResumeOptions,
  RunRecord,
  RunRequest,
  RunResult,
  SessionPage,
  SessionQuery,
  Validation,
  WorkflowSummary,
} from "./records.ts";
import type { Schedules } from "./schedules.ts";
import type { Session } from "./session.ts";
import type { Revoked, Trusted } from "./trusted.ts";
import type { Collected, Retention } from "./upkeep.ts";

/** A run's rows are those of its session's log from its `firstSeq` to its `lastSeq`, others between them. */
export type RunLog = {
  record: RunRecord;
  /** How it went, up to now. */
  outline: () => Promise<RunOutline>;
} & LogDoor;
type LogDoor = Pick<Session, "head" | "rows" | "log$">;
/**
 * How a run went, up to now: the rows of its session from its first one on, but those of what its steps said and did
 * (`CONTENT`). `times`: of every row, also of those left out.
 */
export type RunOutline = { firstSeq: number; times: number[]; rows: Exchange[] };

/** One workflow run in a session of its own. */
export interface Run {
  readonly id: string;
  readonly session: Session;
  /** Resolves when the turn has ended, a parked run's too; a run that was refused rejects with its `TroupeError`. */
  readonly done: Promise<RunResult>;
  /** Answers a question of the parked run: the same run with the next turn's end. Throws as `Session.answer`. @example const { done } = await run.answer(question.input, "yes"); */
  answer(question: string, text: string): Promise<Run>;
  /** Resolves when the cancel is durable, and `done` with its end; a parked run has ended when it resolves. */
  cancel(): Promise<void>;
}

/** All that Troupe does for a face: workflows, runs, sessions, trust, agents, upkeep. `createTroupe` makes one. */
export interface Troupe extends EngineWork {
  /**
   * The same Troupe as another principal sees it: sessions belong to a principal, and those of another are unknown.
   * The user of this process, for whom the other calls are, owns the store and sees the runs of all. Another principal
   * names directories that this user trusts, and `shown`; for any other, there or not, USER.TRUST.NOT_YOURS is thrown.
   */
  as(principal: string, shown?: string): Troupe;
  /**
   * Opens the store, where there is one already, and reads the workflows of a directory, so that the first session
   * waits for neither. Never throws: what is wrong is said to who asks for it.
   */
  warm(cwd: string): Promise<void>;
  /** Everything that can be run in a directory, broken files included. Reads data only. Throws USER.SESSION.CWD. */
  list(cwd: string): Promise<WorkflowSummary[]>;
  /** What a list leaves out, and why: one sentence each. Throws USER.SESSION.CWD. */
  warnings(cwd: string): Promise<string[]>;
  /** What an input stands for: the text of `@prompts/review.md`, or itself. Throws USER.INPUT.* and SYSTEM.IO.*. */
  promptFile(cwd: string, value: string): Promise<string>;
  /** What is wrong with a workflow, and the workflow where it can be run. */
  validate(cwd: string, identifier: string): Promise<Validation>;
  /** A run as it stands now. Throws USER.RUN.NOT_FOUND. */
  status(run: string): Promise<RunRecord>;
  /**
   * The id of a run by what a person calls it: the id, its beginning, or `@last` for the one that began last, in `cwd` or
   * above it where that is given. Throws USER.RUN.NOT_FOUND and USER.RUN.AMBIGUOUS, which lists them. @example const run = await troupe.find("@last", { cwd });
   */
  find(name: string, options?: { cwd?: string }): Promise<string>;
  /** The log that a run stands in, to be read; what became of the run is as of now. Throws USER.RUN.NOT_FOUND. */
  log(run: string): Promise<RunLog>;
  /** The machines of a run, of its session and of its turn, as they are kept. Throws USER.RUN.NOT_FOUND. */
  machines(run: string): Promise<ActorSeen[]>;
  /** Runs of this user, as they stand now: 20 of them without a `limit`. Throws USER.FACADE.INVALID_REQUEST. */
  history(query?: HistoryQuery): Promise<RunRecord[]>;
  /**
   * Calls `changed` whenever a run may have begun, ended, asked or come to another step, in any process, until the answer
   * is called; which is not said. A principal hears of its own runs alone.
   */
  watchRuns(changed: () => void): () => void;
  /** The folder whose workflows are meant in this one: in a repository the nearest one up to its root that has some. */
  project(cwd: string): string;
  /** Whether workflows of a directory may run without a question: it, or one above it, is trusted. */
  isTrusted(cwd: string): Promise<boolean>;
  /**
   * The directories that the user of this machine trusts, those trusted last first. Only that user gives trust, sees it
   * and takes it back: throws USER.TRUST.NOT_YOURS for everybody else.
   */
  trusted(): Promise<Trusted[]>;
  /** The agents that the user of this machine owns; `cwd`: what paths are relative to. Throws USER.TRUST.NOT_YOURS. */
  agents(cwd: string): Promise<Agents>;
  /** How Troupe is here: what is installed, signed in and sound. Starts no agent, changes nothing. */
  checkup(cwd: string): Promise<Checkup>;
  /** Removes what the limits do not allow, oldest first: never what runs, waits or can be resumed. Throws USER.TRUST.NOT_YOURS. @example await troupe.collect({ maxRuns: 1000 }, { dryRun: true }); */
  collect(limits: Retention, options?: { dryRun?: boolean }): Promise<Collected>;
  /** What starts by itself. Throws USER.TRUST.NOT_YOURS. */
  schedules(): Promise<Schedules>;
  /** The packs of workflows of a directory, and the user's. */
  packs(cwd: string): Promise<Packs>;
  /** Trusts a directory and all below it, as a yes for good at its first run does. Throws where there is no directory. */
  giveTrust(cwd: string): Promise<Trusted>;
  /** Takes trust back. Throws USER.TRUST.UNKNOWN for a directory that was not trusted itself. */
  revokeTrust(cwd: string): Promise<Revoked>;
  /** Opens a session; its row is committed when this resolves. Throws USER.SESSION.CWD and USER.SESSION.SETUP. @example const session = await troupe.session({ cwd: "/project" }); */
  session(options: { cwd: string } & Partial<Setup>): Promise<Session>;
  /** An existing session of this user. `setup` takes the place of what it had. Throws USER.SESSION.UNKNOWN. */
  open(id: string, setup?: Partial<Setup>): Promise<Session>;
  /** A new session that begins with what was chosen in another one. What runs there stays. */
  fork(id: string, setup?: Partial<Setup>): Promise<Session>;
  /** A page of this user's sessions, last used first. Throws USER.SESSION.CURSOR for a cursor it has not given, and USER.FACADE.INVALID_REQUEST. @example const next = await troupe.sessions({ cwd, cursor: page.nextCursor }); */
  sessions(query?: SessionQuery): Promise<SessionPage>;
  /** Calls `changed` whenever what `list` finds may have changed, until the answer is called. */
  watch(cwd: string, changed: () => void): () => void;
  /**
   * Deletes a session, its log and the history of its runs. What runs is cancelled first. Idempotent: a session that
   * is not this user's is left alone. Throws USER.SESSION.BUSY_ELSEWHERE.
   */
  deleteSession(id: string): Promise<void>;
  /**
   * A session and one turn.
   * @example
   * const troupe = createTroupe();
   * const run = await troupe.run({ cwd: process.cwd(), workflow: "hello", inputs: { name: "you" }, consent: "yes" });
   * run.session.log$().subscribe((frames) => frames.forEach((frame) => console.log(frame.type)));
   * const { outcome, outputs } = await run.done;
   * await troupe.close();
   */
  run(request: RunRequest & { cwd: string }): Promise<Run>;
  /**
   * Resumes an interrupted run. A parked one stays parked: its handle is done at once, with its questions.
   * Throws USER.RUN.NOT_FOUND, USER.RUN.NOT_RESUMABLE, USER.SESSION.BUSY_ELSEWHERE, and USER.TRUST.REQUIRED where its
   * directory is not trusted any more.
   */
  resume(run: string, options: ResumeOptions): Promise<Run>;
  /** Does a run again that has ended, in its session. Throws as `Session.rerun`, and USER.SESSION.BUSY_ELSEWHERE. @example const { done } = await troupe.rerun(run, { failed: true, consent: "yes" }); */
  rerun(run: string, request: RerunRequest): Promise<Run>;
  /**
   * Answers a parked run, from any process; one that is about to park is waited for. Throws USER.RUN.NOT_FOUND,
   * USER.FACADE.DUPLICATE_RESPONSE, USER.FACADE.INPUT_REJECTED, USER.SESSION.BUSY_ELSEWHERE, USER.TRUST.REQUIRED.
   * @example const { outcome } = await (await troupe.answer(id, { text: "yes" })).done;
   */
  answer(run: string, answer: AnswerOptions): Promise<Run>;
  /** No turn begins here from now on (USER.SERVE.CLOSING). Resolves when none runs, or `signal` is aborted. */
  rest(signal: AbortSignal): Promise<void>;
  /** Cancels everything that this process runs, waits for its end, and closes the store. Idempotent. */
  close(): Promise<void>;
}

export type {
  Block,
  Cursor,
  ErrorFields,
  Exchange,
  Frame,
  Live,
  PermissionOption,
  Row,
  RowOf,
  StopReason,
  TextRow,
} from "../../machines/exchange.ts";
export type { ActorSeen, Inspect, Inspection } from "../../machines/inspection.ts";
export type { Fault, Json, Outcome, Status } from "../../machines/model.ts";
export type { Input, Recover, Workflow } from "../../machines/workflow/document.ts";
export type { Finding } from "../../machines/workflow/finding.ts";
export type {
  Attendance,
  LogOptions,
  McpServer,
  PauseSource,
  PromptBlock,
  Reservation,
  Revoked,
  Session,
  Setup,
  Trusted,
  Viewer,
};
