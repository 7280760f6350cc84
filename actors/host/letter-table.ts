/** The table of letters: what processes leave for each other. */
import type { Key } from "../../machines/model.ts";

export type StoredLetter = { id: number; session: Key; key: Key; event: string };
/** Events that other processes have left for the owner of a session. A number names one letter, ever. */
export interface LetterTable {
  /** Undefined where there is no such key. */
  leave(key: Key, event: string, at: number): number | undefined;
  /** All that was not read, oldest first. */
  unread(): StoredLetter[];
  isUnread(letter: number): boolean;
  /** Whether it may still be read: a process that has let the session go does not. */
  isAwaited(letter: number): boolean;
  answer(letter: number, accepted: boolean): void;
  /** Answers all of a session that was not read. */
  refuse(session: Key): void;
  /** Answers what became of it; null where it was not read. */
  takeBack(letter: number): boolean | null;
  /** Those that were left before. */
  sweep(before: number): void;
}
