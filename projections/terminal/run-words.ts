/** The lines of runs and steps: how each begins and ends. */
import { askedLine } from "../../machines/ask/words.ts";
import type { RoundOf, RowOf } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { itemOf } from "../../machines/naming/address.ts";
import { STEP_KINDS } from "../../machines/workflow/document.ts";
import { isDenied } from "../runs/denied.ts";
import { rerunWords } from "../runs/rerun-words.ts";
import { NO_USAGE, type UsageSum } from "../runs/usage.ts";
import { usageWords } from "../runs/usage-words.ts";
import { EXITED, exitWord } from "./exit-word.ts";
import type { Paint } from "./paint.ts";
import { safeLine, safeLines, safeText } from "./safe.ts";
import { type Tally, tallyWords } from "./tally.ts";
import { duration } from "./words.ts";

type Started = RowOf<"run.started">;
type RunEnd = RowOf<"run.completed">["payload"];
type StepStart = RowOf<"step.started">["payload"];
type StepEnd = RowOf<"step.completed">["payload"];

/** A question in one line: without the choices, which stand with it where it is answered. */
export const askedIn = ({ prompt, form }: RowOf<"input.required">["payload"]): string =>
  form === undefined ? prompt : askedLine(form);

/** The first line of a run names its id, by which `status` and `resume` find one of its own. */
export function header({ run, payload }: Started, label: string, own: boolean, paint: Paint): string {
  const name = paint.bold(safeLine(label));
  if (!own) return `${name} ${paint.dim(`· ${safeLine(`run ${run ?? ""}`)}`)}`;
  const inputs = Object.entries(payload.inputs).map(([input, value]) => `${input}=${shown(value)}`);
  const { rerun } = payload;
  const again = rerun === undefined ? "" : rerunWords(rerun);
  const details = [`run ${run ?? ""}`, inputs.join(" "), again].filter((text) => text !== "");
  return `${name} ${paint.dim(`· ${safeLine(details.join(" · "))}`)}`;
}

export function stepStart({ name, kind, title }: StepStart, label: string, paint: Paint): string {
  const words = [`${paint.cyan("→")} ${paint.bold(safeLine(label))}`];
  if ((STEP_KINDS[kind]?.runs ?? "work") !== "work") words.push(paint.dim(`(${kind.replace("_", " ")})`));
  if (title !== name) words.push(paint.dim(safeLine(title)));
  return words.join(" ");
}

/** `ms` is null when the step's start was not seen. `used`: by it and all below it. */
export function stepEnd(
  { status, exitCode, error }: StepEnd,
  named: string,
  { ms, used = NO_USAGE }: { ms: number | null; used: UsageSum | undefined },
  paint: Paint,
): string {
  const label = safeLine(named);
  const took = [ms === null ? "" : ` ${duration(ms)}`, ...usageWords(used).map((words) => ` · ${words}`)].join("");
  switch (status) {
    case "completed":
      return `${paint.green("✓")} ${label}${paint.dim(took)}`;
    case "failed":
      return `${paint.red("✗")} ${label}${paint.dim(took)} ${paint.red(failedWord(exitCode, error))}`;
    case "cancelled":
      return `${paint.yellow("■")} ${label}${paint.dim(took)} cancelled`;
    case "skipped":
      return `${paint.dim("○")} ${label} skipped${error === undefined ? "" : `: ${safeLine(error.message)}`}`;
    default:
      return status satisfies never;
  }
}

/** Only a program has an exit code; what is made of other steps has failed, and the reason stands elsewhere. */
function failedWord(exitCode: number, error: StepEnd["error"]): string {
  if (isDenied(error)) return "denied";
  return error === undefined || error.code === EXITED ? `failed (${exitWord(exitCode, error)})` : "failed";
}

/**
 * The last lines of a run: its message, its outputs, how it ended, and what was counted on the way. What its failed
 * steps say is reported elsewhere. `ms` is null when the run's start was not seen.
 */
export function endLines(end: RunEnd, label: string, ms: number | null, tally: Tally, paint: Paint): string[] {
  const message = end.message === undefined ? [] : safeLines(end.message);
  const outputs = Object.entries(end.outputs ?? {}).flatMap(([name, value]) => output(name, value, paint));
  return [
    ...message,
    ...outputs,
    `${verdict(end, label, paint)} ${paint.dim(`${ms === null ? "" : `in ${duration(ms)} `}(${tallyWords(tally)})${chosenWord(end)}`)}`,
    ...why(end, tally, paint),
  ];
}

function verdict({ status }: RunEnd, label: string, paint: Paint): string {
  const name = safeLine(label);
  switch (status) {
    case "completed":
      return `${paint.green("✓")} ${paint.bold(name)} completed`;
    case "failed":
      return `${paint.red("✗")} ${paint.bold(name)} ${paint.red("failed")}`;
    case "cancelled":
      return `${paint.yellow("■")} ${paint.bold(name)} cancelled`;
    case "skipped":
      return `${paint.yellow("○")} ${paint.bold(name)} skipped`;
    default:
      return status satisfies never;
  }
}

/** A failure that the author wrote down has its own message; the name of its state says nothing more. */
const AUTHORED = "EXECUTION.RUN.FAILED";

function why({ status, error, message }: RunEnd, { failed, fault }: Tally, paint: Paint): string[] {
  if ((status !== "failed" && status !== "skipped") || error === undefined) return [];
  // What a skipped step says of itself is not what it means for the run.
  if (status === "skipped") return [`  ${safeLine(error.message)} ${paint.dim(`[${safeLine(error.code)}]`)}`];
  // What is not the fault of the step that failed last, the run itself has found wrong.
  const isSteps = fault?.code === error.code && fault.message === error.message;
  const isSaid = error.code === AUTHORED ? message !== undefined || failed > 0 : isSteps;
  return isSaid ? [] : [`  ${safeLine(error.message)} ${paint.dim(`[${safeLine(error.code)}]`)}`];
}
/** The exit code that the author chose: `troupe run` ends with it. Any other failure exits by its code's class. */
export const isChosen = (status: string, error: { code: string } | null | undefined): boolean =>
  status === "failed" && (error == null || error.code === AUTHORED);
const chosenWord = ({ status, exitCode, error }: RunEnd): string =>
  isChosen(status, error) ? `, exit ${exitCode}` : "";

/** Why a step failed; null where its exit code says it all. */
export const reasonLine = ({ status, error }: StepEnd): string | null =>
  status !== "failed" || error === undefined || error.code === EXITED ? null : safeLine(error.message);

function output(name: string, value: Json, paint: Paint): string[] {
  const [first = "", ...rest] = safeText(shown(value)).trimEnd().split("\n");
  return [`${paint.dim(`${safeLine(name)}:`)} ${first}`, ...rest.map((line) => `  ${line}`)];
}

const shown = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The last part of a step's path: `build#2` on a second visit; in a loop `build[src/a.ts]` or, counted from 1, `3. build`. */
export function labelOf(path: string, name: string, round?: RoundOf): string {
  const last = path.split("/").at(-1) || name;
  const item = itemOf(round);
  if (item !== null) return `${last.replace(/^\d+\./, "")}[${item}]`;
  return last.replace(/^(\d+)\./, (_, iteration: string) => `${Number(iteration) + 1}. `);
}
