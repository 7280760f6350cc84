/**
 * What an editor does in our place where the user has configured it and the editor offers it.
 *
 * I1. A call that the editor does not answer in time is given up: an editor may leave requests unanswered.
 */

import type { Block } from "../../machines/exchange.ts";
import { timeLimit } from "./clock.ts";

/** Puts a text file's whole content; rejects when the editor did not. */
export type EditorWrite = (path: string, content: string, signal: AbortSignal) => Promise<void>;
/** A command for the editor's terminal. `maxBytes`: how much of the output's end is wanted. */
export type EditorCommand = { argv: readonly [string, ...string[]]; cwd: string; maxBytes: number };
/** How a command in the editor's terminal ended; `output` is its end where `isCut`. */
export type EditorEnd = { output: string; isCut: boolean; exitCode: number | null; signal: string | null };
/**
 * Runs a command in a terminal that the editor shows; `shown` hears what to show of it. An abort ends the command, and
 * then the promise resolves. Rejects when the editor did not run it.
 */
export type EditorTerminal = (
  command: EditorCommand,
  signal: AbortSignal,
  shown: (terminal: Block) => void,
) => Promise<EditorEnd>;
/** What an editor offers to do. */
export type EditorClient = { write?: EditorWrite; terminal?: EditorTerminal };

/** How long an editor may take for one call, in milliseconds. */
export const EDITOR_LIMIT_MS = 60_000;

/** The same with a time limit of ours. `limit` makes the signal of a time limit. */
export const limited =
  (write: EditorWrite, limit: (ms: number) => AbortSignal = timeLimit): EditorWrite =>
  async (path, content, signal) => {
    const late = limit(EDITOR_LIMIT_MS);
    const either = AbortSignal.any([signal, late]);
    const gone = Promise.withResolvers<never>();
    const stop = (): void =>
      gone.reject(
        new Error(late.aborted ? `the editor did not answer in ${EDITOR_LIMIT_MS / 1000} s` : "it was cancelled"),
      );
    either.addEventListener("abort", stop, { once: true });
    if (either.aborted) stop();
    try {
      await Promise.race([write(path, content, either), gone.promise]);
    } finally {
      either.removeEventListener("abort", stop);
    }
  };

/** Of what an editor can do, what the user has turned on. */
export function granted(hands: EditorClient | null, on?: { write: boolean; terminal: boolean }): EditorClient | null {
  if (hands === null) return null;
  const { write, terminal } = hands;
  return {
    ...(on?.write === true && write !== undefined ? { write } : {}),
    ...(on?.terminal === true && terminal !== undefined ? { terminal } : {}),
  };
}
