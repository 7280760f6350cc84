/** The types of what the facade answers: workflows, runs, sessions, questions, ends; and of what a prompt brings. */
import type { AskForm } from "../../machines/ask/form.ts";
import type { Allowance, Limits } from "../../machines/budget/budget.ts";
import type { Reach, RowOf, StopReason } from "../../machines/exchange.ts";
import type { Json, Outcome, Status } from "../../machines/model.ts";
import type { Input, Recover, Workflow } from "../../machines/workflow/document.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import type { PromptBlock } from "../attachments/take.ts";

/** A workflow as a list shows it. */
export type WorkflowSummary = {
  /** Canonical: `name` or `pack/name`. */
  id: string;
  name: string;
  description: string;
  version: string | null;
  /** Where it was found. */
  source: "troupe" | "awf" | "user" | "pack" | "builtin";
  file: string | null;
  inputs: Input[];
  /** The names of what it gives back, and whether its file keeps it from MCP hosts; absent where it says nothing. */
  outputs?: string[];
  mcp?: { expose: false };
  /** Set when the file cannot be run; listing is always complete. */
  fault: { code: string; message: string } | null;
};
/** What a check of one workflow found; `workflow` is null where it cannot be run. */
export type Validation = {
  id: string;
  file: string | null;
  source: string;
  findings: Finding[];
  workflow: Workflow | null;
};

/** `waiting`: a process runs it, and something of it waits for a decision. */
export type RunState = "running" | "waiting" | "interrupted" | "parked" | Status;
/** A run as it stands now. */
export type RunRecord = {
  id: string;
  session: string;
  workflow: string;
  cwd: string;
  status: RunState;
  exitCode: number | null;
  error: { code: string; message: string } | null;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number | null;
  /** The seqs of its first row and, once it has ended, its last one in the session's log. */
  firstSeq: number;
  lastSeq: number | null;
  /** The name of the token that it was started with; not there where its user needed none. */
  startedBy?: string;
  /** Interrupted or parked: `resume` or `answer` makes it run again. Not one whose cancel was cut off: they finish that. */
  resumable: boolean;
  /** What a parked run waits for, oldest first; empty for any other. */
  questions: Question[];
  /** What is asked while it runs, or before it begins, oldest first: `Session.decide` answers. */
  permissions: Permission[];
};
/** An open permission: a question with options. `step` is "" for the question whether the directory is trusted. */
export type Permission = RowOf<"permission.requested">["payload"] & { run: string; step: string };
/**
 * Something that a parked run asks a person; all texts are masked. `prompt` is "" where a conversation waits for the
 * next words: `said` has the last ones of its step, or "" when it said nothing. `form`: of an `ask` step, all that it
 * asks; an answer that is a JSON object of values by name answers all of it.
 */
export type Question = { input: string; run: string; step: string; prompt: string; said: string; form?: AskForm };
/**
 * `under`: an absolute folder; runs that began in it or below it. `cwd`: in this one itself. `open`: those that have no
 * end, or those that have one. `since`, `until`: those that began then or later, and before; milliseconds since the epoch.
 * `own`: those that the caller may go on with; the user of this process sees those of everybody else.
 */
export type HistoryQuery = {
  resumable?: boolean;
  open?: boolean;
  own?: boolean;
  limit?: number;
  workflow?: string;
  status?: RunState;
  under?: string;
  cwd?: string;
  since?: number;
  until?: number;
};

/** What a session does now. `interrupted`: a crash cut its run off; `parked`: its run waits for a person. */
export type SessionState = "idle" | "running" | "parked" | "interrupted";
/** A session as a list shows it. */
export type SessionRecord = {
  id: string;
  cwd: string;
  /** Null before the first prompt. Masked, one line. */
  title: string | null;
  /** Milliseconds since the epoch: when its last turn began or ended. */
  updatedAt: number;
  state: SessionState;
  /** The session that it is a fork of. */
  forkedFrom?: string;
};
/** `cwd`: only sessions of this directory. `cursor`: a page's `nextCursor`. `limit`: 1 to 200, else 50. */
export type SessionQuery = { cwd?: string | null; cursor?: string | null; limit?: number };
/** A part of the list; `nextCursor` asks for the one behind it, and is null at the end. */
export type SessionPage = { sessions: SessionRecord[]; nextCursor: string | null };

/** `value` is what `choose` takes. */
export type Choice = { value: string; name: string; description?: string };
/**
 * `mode` (a role), `model`, `thought_level`, `permissions` (of tools that no rule names), `workflow` (the default one).
 */
export type SessionOption = { id: string; current: string; choices: Choice[] };

/** Who is asked for consent: a person, who may run it `once` without trust, or `nobody`. `yes`: it was given. */
export type Consent = "ask" | "ask or once" | "nobody" | "yes";

/** `inputs`: values for inputs that the prompt's text does not give. */
export type PromptRequest = {
  blocks: PromptBlock[];
  consent: Consent;
  defaultWorkflow?: string;
  inputs?: { [name: string]: Json };
};
/** The inputs that a command needs and that its prompt does not give. */
export type Missing = { workflow: string; inputs: Input[] };
/** `budget`: its limits beside those of the configuration and of the file; the lowest holds; one that would limit nothing is refused with USER.CLI.USAGE. `merges`: a step whose file says `approve: false` merges its tree without asking. */
export type RunRequest = {
  workflow: string;
  inputs: { [name: string]: string };
  consent: Consent;
  merges?: "allow";
  budget?: Allowance;
};
/**
 * `words`: as they stand behind `/tell`, with a step's name or without; `more`: what the prompt holds behind them.
 * `run`: of that run only.
 */
export type TellRequest = { run?: string } & (
  | { text: string; step?: string | null }
  | { words: string; more?: readonly PromptBlock[] }
);
/** `reach`: whether its agent gets it while it works, or with its next turn. `step`: the path of the step. */
export type TellAnswer = { tell: string; run: string; step: string; reach: Reach };

/**
 * A run that does another one again. `from`: the step that it begins with; `failed`: with what failed, of a loop only
 * those rounds; neither: at the beginning. `budget`: in the place of the one that the earlier run had. `inputs`: values in the place of those that the run had. `force`: what is
 * taken over need not fit the workflow as it is now.
 */
export type RerunRequest = {
  from?: string;
  failed?: boolean;
  inputs?: { [name: string]: string };
  force?: boolean;
  consent: Consent;
  budget?: Allowance;
};
/**
 * `inputs`: values of secret inputs, which no store holds. `budget`: what a limit is from now on that was reached.
 * `consent`: `yes` lets it go on though its directory is not trusted.
 */
export type ResumeOptions = {
  recover: Recover;
  inputs?: { [name: string]: string };
  budget?: Limits;
  consent?: Consent;
};
/** `question`: the id of the one that is answered; by default the oldest that is open. Empty text ends a conversation. `who`: as the log names who answered. `consent`: `yes` lets the run go on though its directory is not trusted. */
export type AnswerOptions = {
  text: string;
  question?: string;
  /** Is shown that question, and throws where this is no answer to it. */
  check?: (question: Question) => void;
  inputs?: { [name: string]: string };
  who?: string;
  consent?: Consent;
};
/** `questions`: what the run waits for that the turn has left parked. */
export type TurnResult = {
  turn: string;
  stopReason: StopReason;
  error: { code: string; message: string } | null;
  questions: Question[];
};
/** How a turn has left its run: at its end; waiting for a person; or cut off, so that it can be resumed. */
export type Parked = { status: "parked"; questions: Question[] };
/** A run that a crash cut off: `Troupe.resume` continues it. */
export type Interrupted = { status: "interrupted" };
/** How a run ended, or how its turn has left it, and what it gave back. */
export type RunResult = {
  run: string;
  outcome: Outcome | Parked | Interrupted;
  outputs: { [name: string]: Json };
  message: string | null;
};
