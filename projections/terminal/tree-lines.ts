/**
 * A run's steps on the terminal: a line each, what is part of a step below it.
 *
 * I1. Of many steps of one container those that went well are counted, not listed; whatever else there is has its line.
 */
import { isDenied } from "../runs/denied.ts";
import type { RunTree, StepState, StepTree } from "../runs/tree.ts";
import { usageWords } from "../runs/usage-words.ts";
import { exitWord } from "./exit-word.ts";
import { type Paint, paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { shorten } from "./width.ts";
import { count, duration } from "./words.ts";

export type TreeOptions = { colours: boolean; columns: number | null; now: number };
const INDENT = "  ";
/** So many children are listed whatever became of them. */
const FEW = 12;
/** More steps that have stopped without an end are counted. */
const MOST_HALTS = 3;

export function treeLines({ steps }: Pick<RunTree, "steps">, { colours, columns, now }: TreeOptions): string[] {
  const paints = paint(colours);
  return linesOf(steps, 1).map((line) => shorten(line, columns));

  function linesOf(children: readonly StepTree[], depth: number): string[] {
    const margin = INDENT.repeat(depth);
    const isCounted = ({ state }: StepTree): boolean => children.length > FEW && state === "completed";
    const counted = children.filter(isCounted).length;
    const lines = children.flatMap((step) =>
      isCounted(step) ? [] : [margin + lineOf(step, now, paints), ...linesOf(step.steps, depth + 1)],
    );
    return counted === 0
      ? lines
      : [...lines, `${margin}${markOf("completed", paints)} ${paints.dim(`${counted} completed`)}`];
  }
}

/** Why steps have stopped without an end and what lets them go on, whole; an empty line first where there is any. */
export function haltLines({ steps }: Pick<RunTree, "steps">, paints: Paint): string[] {
  const halted = steps.flatMap(haltedIn);
  const lines = halted.slice(0, MOST_HALTS).map((message) => `${paints.yellow("!")} ${safeLine(message)}`);
  const others = halted.length - lines.length;
  if (others > 0) lines.push(paints.dim(`… and ${count(others, "other step")} stopped so`));
  return lines.length === 0 ? [] : ["", ...lines];
}
const haltedIn = ({ state, halt, steps }: StepTree): string[] => [
  ...(state === "interrupted" && halt !== null ? [halt.message] : []),
  ...steps.flatMap(haltedIn),
];

const lineOf = (step: StepTree, now: number, paints: Paint): string => {
  const { state, startedAt, endedAt, downMs, steps } = step;
  const until = endedAt ?? (state === "interrupted" ? null : now);
  const took = until === null ? null : duration(until - startedAt - downMs);
  return stepLine({ ...step, took, isLeaf: steps.length === 0, isLive: false }, paints);
};

/** What the line of a step says. `took`: in words; null where it is not known. `isLive`: that it runs is plain to see. */
export type StepFacts = Pick<
  StepTree,
  | "path"
  | "name"
  | "round"
  | "item"
  | "kind"
  | "state"
  | "attempts"
  | "exitCode"
  | "error"
  | "usage"
  | "waitsFor"
  | "calls"
> & { took: string | null; isLeaf: boolean; isLive: boolean };

export function stepLine(step: StepFacts, paints: Paint): string {
  const { kind, state, attempts, took, exitCode, error, usage, waitsFor, calls, isLeaf, isLive } = step;
  const words = [`${markOf(state, paints)} ${labelOf(step)}`];
  if (calls !== null) words.push(paints.dim(`(calls ${safeLine(calls.workflow)})`));
  else if (kind === "parallel" || kind === "for_each" || kind === "while")
    words.push(paints.dim(`(${kind.replace("_", " ")})`));
  if (took !== null && state !== "skipped") words.push(paints.dim(took));
  const facts = [
    ...(state === "completed" || (isLive && state === "running") ? [] : [stateWord(state, error, paints)]),
    ...(state === "failed" && exitCode !== null && isLeaf && !isDenied(error) ? [exitWord(exitCode, error)] : []),
    ...(attempts > 1 ? [count(attempts, "attempt")] : []),
    ...usageWords(usage),
    ...waitsFor.map(({ text }) => `waits for ${text === "" ? "the next words" : safeLine(text)}`),
  ];
  return facts.length === 0 ? words.join(" ") : `${words.join(" ")} ${paints.dim("·")} ${facts.join(" · ")}`;
}

/** `build#2` on a second visit; in a loop `build[src/a.ts]` or, counted from 1, `3. build`. */
export function labelOf({ path, round, item, name }: Pick<StepTree, "path" | "round" | "item" | "name">): string {
  const last = path.split("/").at(-1) || name;
  if (round === null) return safeLine(last);
  const state = last.replace(/^\d+\./, "");
  return safeLine(item === null ? `${round}. ${state}` : `${state}[${item}]`);
}

export function markOf(state: StepState, { cyan, green, red, yellow, dim }: Paint): string {
  switch (state) {
    case "running":
      return cyan("▸");
    case "waiting":
      return yellow("?");
    case "interrupted":
      return yellow("!");
    case "completed":
      return green("✓");
    case "failed":
      return red("✗");
    case "cancelled":
      return yellow("■");
    case "skipped":
      return dim("○");
    default:
      return state satisfies never;
  }
}
const stateWord = (state: StepState, error: StepFacts["error"], { red, cyan, yellow, dim }: Paint): string => {
  if (state === "failed") return red(isDenied(error) ? "denied" : state);
  if (state === "running") return cyan(state);
  return state === "skipped" ? dim(state) : yellow(state);
};
