/** Who attends a session: what it hears, and what it may say. */
import type { EditorClient } from "../base/editor-client.ts";

/** Somebody who attends a session: it hears of turns, and may be asked what they ask. */
export interface Viewer {
  /** A turn that it has not prompted itself begins behind this row; or another process has written to the session. */
  turnBegins(after: number): void;
  /** Whether what the session asks from now on, or asks anew, is asked of this viewer. */
  asked(isAsked: boolean): void;
  /** What it does in our place while it is asked. */
  hands?: EditorClient;
}
export interface Attendance {
  /** Names it in a prompt. */
  readonly id: string;
  /** As `Session.decide`; USER.FACADE.INPUT_REJECTED for a question that was not asked of this viewer. */
  decide(permission: string, option: string | null): Promise<void>;
  /**
   * When the last one has left and nobody came within the grace, what runs is cancelled; what is parked stays parked.
   * Idempotent.
   */
  leave(options?: { graceMs: number }): void;
}
