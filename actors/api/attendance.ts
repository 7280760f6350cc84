/** Who attends a session: what it hears, and what it may say. */
import type { EditorClient } from "../base/editor-client.ts";
import type { PromptRequest, TurnResult } from "./records.ts";

/** What attends a session: it hears of turns, and may be asked what they ask. */
export interface Viewer {
  /** A turn that it has not prompted itself begins behind this row; or another process has written to the session. */
  turnBegins(after: number): void;
  /** The process that ran a turn has died: its run waits to be resumed. The rows that say so are committed. */
  cutOff?(): void;
  /** What it does in our place while it is asked. */
  hands?: EditorClient;
}
/** A viewer's place in a session, until it leaves. */
export interface Attendance {
  /** Whether what the session asks now is asked of this viewer. */
  readonly isAsked: boolean;
  /** Reserves the session for a prompt of this viewer. Throws USER.PROMPT.IN_FLIGHT; nothing was awaited before. */
  reserve(): Reservation;
  /** Throws USER.PROMPT.IN_FLIGHT while this viewer waits for an answer. */
  refuseAwaited(): void;
  /** Resolves when this viewer waits for no answer. */
  answered(): Promise<void>;
  /** As `Session.decide`; USER.FACADE.INPUT_REJECTED while this viewer is not asked. */
  decide(permission: string, option: string | null): Promise<void>;
  /**
   * When the last viewer has left and none came within the grace, what runs is cancelled; what is parked stays parked.
   * Idempotent.
   */
  leave(options?: { graceMs: number }): void;
}

/** A prompt of a viewer, from before it is sent on until its client has the answer. */
export interface Reservation {
  /** Aborted when the session is cancelled, or the viewer leaves, before the prompt was sent on: it is not to be any more. */
  readonly withdrawn: AbortSignal;
  /** As `Session.prompt`, once; what it asks is asked of this viewer. */
  prompt(request: PromptRequest): Promise<{ turn: string }>;
  /** The turn that `prompt` begins: known as soon as that is called, "" before. */
  turn(): string;
  /** The end of its turn; rejects when the log cannot be written. */
  readonly ended: Promise<TurnResult>;
  /** The client has the answer, or nothing was sent on: this viewer may prompt again. Idempotent. */
  answered(): void;
}
