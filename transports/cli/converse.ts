/**
 * A parked run in the foreground: its question on the terminal, or how to answer it from elsewhere.
 *
 * I1. An empty line and the end of the input are an empty answer: they end the conversation.
 */
import type { Parked, RunResult } from "../../actors/troupe.ts";
import { failedRun } from "../../projections/runs/failures.ts";
import type { FailedStep } from "../../projections/runs/tree.ts";
import { interruptedLine, parkedLines, questionLines } from "../../projections/terminal/question.ts";
import { safeJson } from "../../projections/terminal/safe.ts";
import { type CommandContext, type Io, writeLines } from "./io.ts";

type ConversationQuestion = Parked["questions"][number];

/** The answer to a question; null when it was withdrawn. `words`: the reader has not seen those before it. */
export async function converse(
  io: Io,
  question: ConversationQuestion,
  words: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const lines = questionLines(question, { colours: io.errColours, columns: io.errColumns, words });
  io.err(`${lines.join("\n")}\n`);
  const line = await io.readLine(signal);
  return signal.aborted ? null : (line ?? "");
}

/**
 * `isShown`: whether a question was shown here. `failed`: the steps that the run has failed of. `keeps`: a later
 * command finds it. `secrets`, `budget`: inputs and a limit that a later command is given.
 */
export type Leaving = {
  isShown: (input: string) => boolean;
  failed: () => readonly FailedStep[];
  keeps: boolean;
  secrets: () => readonly string[];
  budget: () => string | null;
};

/** The last words about a run that has not ended: for a person how to resume it, for a program one object. */
export function leave(
  { io, format }: CommandContext,
  { run, outcome }: RunResult,
  { isShown, failed, keeps, secrets, budget }: Leaving,
): void {
  switch (outcome.status) {
    case "parked": {
      const { questions } = outcome;
      const words = !questions.every(({ input }) => isShown(input));
      if (format === "json") writeLine(io, { parked: { run, questions } });
      else writeLines(io, parkedLines(run, questions, { ...io, words, secrets: secrets() }));
      return;
    }
    case "interrupted":
      if (format === "json") writeLine(io, { interrupted: { run } });
      else writeLines(io, [interruptedLine(run, { ...io, secrets: secrets(), budget: budget() })]);
      return;
    case "failed":
      if (format === "json") writeLine(io, { failed: failedRun(run, failed(), keeps) });
      return;
    case "completed":
    case "cancelled":
    case "skipped":
      return;
    default:
      outcome satisfies never;
  }
}

const writeLine = (io: Io, value: object): void => io.out(`${safeJson(JSON.stringify(value))}\n`);
