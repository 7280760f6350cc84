/**
 * What a run failed of, at its end: each step with its exit and its last lines, and the commands to look further and to
 * rerun it.
 *
 * I1. What the step wrote last is read in normal brightness, whole lines, made safe.
 */
import { isDenied } from "../runs/denied.ts";
import { goOnCommand, lookCommand } from "../runs/failures.ts";
import type { FailedStep } from "../runs/tree.ts";
import { EXITED, exitWord } from "./exit-word.ts";
import type { Paint } from "./paint.ts";
import { safeLine, safeLines } from "./safe.ts";
import { count } from "./words.ts";

export { FAILURE_LINES } from "../runs/failures.ts";

/** More steps than this are counted. */
const MOST_STEPS = 3;

/** `run`: what the commands name; null where no later command finds it. */
export function failureLines(failed: readonly FailedStep[], run: string | null, { bold, dim, red }: Paint): string[] {
  const shown = failed
    .slice(0, MOST_STEPS)
    .flatMap((step) => [
      "",
      `${red("✗")} ${bold(safeLine(step.address))} ${red(endWord(step))}${step.attempts > 1 ? ` after ${count(step.attempts, "attempt")}` : ""}${dim(codeWord(step))}`,
      ...reason(step),
      ...(step.stderr.length > 0 ? step.stderr : step.stdout).flatMap(safeLines).map((line) => `  ${dim("│")} ${line}`),
    ]);
  const others = failed.length - MOST_STEPS;
  return [
    ...shown,
    ...(others > 0 ? ["", dim(`… and ${count(others, "other step")} failed`)] : []),
    ...(run === null
      ? []
      : [
          "",
          `  ${dim("look:")}  ${lookCommand(run, failed.length > 0)}`,
          `  ${dim("rerun:")} ${goOnCommand(run, failed.length > 0)}`,
        ]),
  ];
}

/** A program's exit; of anything else the class of its failure says more. */
const hasExit = ({ kind, error }: FailedStep): boolean =>
  kind === "command" && (error === null || error.code === EXITED);
function endWord(step: FailedStep): string {
  if (isDenied(step.error)) return "denied";
  return hasExit(step) || step.kind === "command" ? `failed (${exitWord(step.exitCode ?? 1, step.error)})` : "failed";
}
const codeWord = (step: FailedStep): string =>
  step.error === null || hasExit(step) ? "" : ` [${safeLine(step.error.code)}]`;
const reason = (step: FailedStep): string[] =>
  step.error === null || hasExit(step) ? [] : safeLines(step.error.message).map((line) => `  ${line}`);
