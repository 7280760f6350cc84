/**
 * The port under the runtime: keyed machines, effects, one log per session, and typed reads of what is kept
 * (`reads.ts`). `embedded.ts` implements it; a distributed engine could implement it once more, so nothing here decides
 * what only one could.
 *
 * I1. No code outside sees where or how state is kept: no statement, no snapshot, no file.
 */
import type { AnyStateMachine, EventObject } from "xstate";
import type { PermissionQuestion, PermissionSettled } from "../../machines/contracts.ts";
import type { Cursor, Exchange, Frame, Row, TextRow } from "../../machines/exchange.ts";
import type { WorkTold } from "../../machines/guidance.ts";
import type { Fault, Key, Kind } from "../../machines/model.ts";
import type {
  KeptAttachments,
  KeptConsents,
  KeptConversations,
  KeptSchedules,
  OutlineRead,
  QuestionReads,
  RunReads,
  SessionReads,
  TrustedFolders,
} from "./reads.ts";
import type { Collecting } from "./rest-table.ts";

/** Local child id → who that is. `nonce` makes each start distinct: a result of an older start is late and dropped. */
export type Children = { [id: string]: Child };
export type Child = { src: string; nonce: number; key: Key | null };

/** What is stored for a key; its birth input is stored apart, once. `starts` numbers the children ever started. */
export type Snap = {
  v: string;
  value: unknown;
  context: unknown;
  status: "active" | "done" | "error" | "stopped";
  output?: unknown;
  error?: unknown;
  historyValue?: unknown;
  children: Children;
  starts: number;
};

/** What one event asks of the host; produced by `interpret.ts`, applied in one commit. */
export type Effect =
  | { do: "spawn"; id: string; src: string; input: unknown }
  | { do: "stop"; id: string }
  | { do: "timer"; id: string; delayMs: number; event: EventObject }
  | { do: "untimer"; id: string }
  | { do: "append"; row: Row }
  | { do: "send"; to: Key; event: EventObject }
  | { do: "send child"; id: string; event: EventObject }
  | { do: "send children"; event: EventObject };

/** The part of a text row that does not change from chunk to chunk. */
export type TextHead = Pick<TextRow, "type" | "run" | "step"> & {
  block: string;
  call?: string;
  stream?: "stdout" | "stderr";
};
export interface TextBlock {
  /** Shows text at once, commits it in batches. Never blocks: a slow reader does not slow a step. */
  say(text: string): void;
  /** Nothing more of this block: an end that was held back, since it might begin a secret, is shown. */
  end(): void;
}

/**
 * Work outside machines, at least once. What it returns or throws goes back to the machine that started it.
 * @example
 * host.work("greet", async ({ name }: { name: string }, { text, attempt }) => {
 *   const block = text({ type: "message.assistant", block: attempt });
 *   block.say(`Hello, ${name}!`);
 *   block.end();
 *   return { greeted: name };
 * });
 */
export type Work = (input: never, context: WorkContext) => Promise<unknown>;
export interface WorkContext {
  readonly key: Key;
  readonly session: Key;
  /** Distinct for every start of this work, also across restarts. */
  readonly attempt: string;
  readonly signal: AbortSignal;
  text(head: TextHead): TextBlock;
  /** A row of this work's own, in order with its text. */
  record(row: Row): void;
  /** An event to the owning machine. Durable when it resolves. */
  tell(event: EventObject): Promise<void>;
  /** What a person says to this work while it runs, from now on and what was said before. */
  listen(take: (told: WorkTold) => void): void;
  /**
   * Asks a person, while the work runs. Settles as cancelled where no answer comes, when the work is aborted, and
   * when `signal` takes the question back.
   */
  ask(question: PermissionQuestion, signal?: AbortSignal): Promise<PermissionSettled>;
}

export interface Follower {
  pause(): void;
  resume(): void;
  close(): void;
}

/** Why an event was not taken. `refused`: no transition was enabled. `owned`: another live process has the session. */
export type Delivery = { accepted: true } | { accepted: false; reason: "refused" | "unknown" | "owned" };

/** `owned`: another live process has it. `running`: something of it runs here, or did when its process died. */
export type Removal = "removed" | "owned" | "running";

/**
 * Keyed actors over one log a session.
 * @example
 * const host = openHost({ on: "memory" }, options);
 * host.machine("session", sessionMachine);
 * await host.create("session/s", input);
 * const reader = host.follow("session/s", START, (frames) => frames.forEach(show));
 * const delivery = await host.send("session/s", { type: "prompt.received", turn, title, blocks, asks });
 * if (!delivery.accepted) console.error(delivery.reason);
 * reader.close();
 * await host.stop();
 */
export interface Host {
  readonly sessions: SessionReads;
  readonly runs: RunReads;
  readonly questions: QuestionReads;
  readonly trust: TrustedFolders;
  readonly consents: KeptConsents;
  readonly schedules: KeptSchedules;
  readonly attachments: KeptAttachments;
  readonly conversations: KeptConversations;
  readonly collecting: Collecting;
  machine(kind: Kind, machine: AnyStateMachine): void;
  work(src: string, work: Work): void;
  /** Aborts what runs and gives up its sessions. Resolves when all is written; idempotent. */
  stop(): Promise<void>;
  /** Durable when it resolves. */
  create(key: Key, input: object): Promise<void>;
  /** Durable when it resolves. With `dedupe`, the same id is taken once per key. */
  send(key: Key, event: EventObject, options?: { dedupe?: string }): Promise<Delivery>;
  /**
   * As `send`, also to the living process that owns the session, if that takes it in: `owned` when it has not within
   * LETTER_LIMIT_MS.
   */
  write(key: Key, event: EventObject): Promise<Delivery>;
  /** Takes in what other processes have written to machines of this one. */
  takeIn(): void;
  /** Hears other processes, until the answer is called. Throws where the system has no watch left. */
  listen(): () => void;
  /** Brings what is kept of a session, where that is elsewhere: until then it is unknown here. */
  reach?(session: Key): Promise<void>;
  /** The same, for the session of a run. */
  reachRun?(run: string): Promise<void>;
  /** The seq of a session's last row; 0 where it has none. */
  head(session: Key): number;
  /** Rows after one, oldest first. */
  rows(session: Key, after: number, limit: number): Exchange[];
  readonly outline: OutlineRead;
  /** Rows before one, newest first, of some types only where they are named; read as they are asked for. */
  backwards(session: Key, options?: { before?: number; types?: readonly Row["type"][] }): Iterable<Exchange>;
  /**
   * Takes a session out, with its machines, its log, and what is kept of it beside that. One that is not there counts
   * as removed.
   */
  remove(session: Key): Promise<Removal>;
  /**
   * Pushes frames in batches: what was said before a tick at its beginning, what it wrote at its end. A paused follower
   * costs a cursor, not a buffer; one whose `push` throws, or whose log cannot be read, is closed, and `failed` hears
   * why. `sent` is called before the next tick does anything, once for those that name the same one: until then who
   * carries what was pushed may wait for more, if it does not wait for a tick.
   */
  follow(
    session: Key,
    after: Cursor,
    push: (frames: readonly Frame[]) => void,
    sent?: () => void,
    failed?: (error: unknown) => void,
  ): Follower;
}

/** Nothing of the session runs any more: sent once to a session that has a transition for it. */
export const QUIET: EventObject = { type: "host.quiet" };
/** A session whose process died is reported to its machines by these. */
export const OWNER_LOST = "owner.lost";
export const INTERRUPTED: Fault = { code: "INTERRUPTED", message: "the process that ran this ended" };
