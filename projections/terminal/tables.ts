/** Tables of the terminal: workflows, runs, one run. Lines of plain columns, wide as their longest cell. */
import type { RerunOf, RowOf } from "../../machines/exchange.ts";
import { rerunWords } from "../runs/rerun-words.ts";
import { NO_USAGE, type UsageSum } from "../runs/usage.ts";
import { usageWords } from "../runs/usage-words.ts";
import { editText } from "../shared/edit.ts";
import { deedOf, inputLine } from "../shared/input-text.ts";
import { type Paint, paint } from "./paint.ts";
import {
  type DecisionView,
  howToAnswer,
  howToDecide,
  howToResume,
  labelOf,
  type QuestionView,
  questionWord,
} from "./question.ts";
import { isChosen } from "./run-words.ts";
import { safeConsent, safeLine } from "./safe.ts";
import { shorten, widthOf } from "./width.ts";
import { age, duration } from "./words.ts";

export type TableOptions = { colours: boolean; columns: number | null };
export type WorkflowView = {
  id: string;
  description: string;
  source: string;
  inputs: readonly { name: string; required: boolean; default?: unknown }[];
  fault: { code: string; message: string } | null;
};
export type RunView = {
  id: string;
  session: string;
  workflow: string;
  cwd: string;
  status: string;
  exitCode: number | null;
  error: { code: string; message: string } | null;
  startedAt: number;
  endedAt: number | null;
  resumable: boolean;
  /** What a parked run waits for. */
  questions: readonly QuestionView[];
  /** What a person is asked now. */
  permissions: readonly (DecisionView & AskedView)[];
};
type AskedView = Pick<RowOf<"permission.requested">["payload"], "title" | "tool" | "input" | "edits"> & {
  message?: string;
  /** "" where it is asked before the first step. */
  step?: string;
};

/** What can be run in a directory; broken files are listed with their fault. */
export function workflowTable(workflows: readonly WorkflowView[], { colours, columns }: TableOptions): string[] {
  const paints = paint(colours);
  const rows = workflows.map(({ id, source, description, inputs, fault }) => [
    safeLine(id),
    safeLine(inputs.map(inputWord).join(" ")),
    source,
    fault === null ? safeLine(description) : paints.red(`broken: ${safeLine(fault.message)}`),
  ]);
  const fitting = columns === null ? rows : withRoom(rows, columns);
  return table(["WORKFLOW", "INPUTS", "FROM", "DESCRIPTION"], fitting, paints, columns);
}

/** What a description has beside long inputs and names, which are cut in this order. */
const LEAST_DESCRIPTION = 24;
const LEAST_INPUTS = 12;
const GAPS = 6;
function withRoom(rows: readonly string[][], columns: number): string[][] {
  const widest = (column: number) => Math.max(0, ...rows.map((row) => widthOf(row[column] ?? "")));
  const room = columns - GAPS - widest(2) - Math.min(widest(3), LEAST_DESCRIPTION);
  const inputs = Math.max(LEAST_INPUTS, room - widest(0));
  const name = Math.max(LEAST_NAME, room - Math.min(inputs, widest(1)));
  return rows.map(([id = "", given = "", ...rest]) => [shorten(id, name), shorten(given, inputs), ...rest]);
}

/** A long name of a workflow leaves room for what became of the run. */
const BESIDE_NAME = 44;
const LEAST_NAME = 12;

/** Runs, newest first as they are given. `now`: milliseconds since the epoch. */
export function runTable(runs: readonly RunView[], now: number, { colours, columns }: TableOptions): string[] {
  const paints = paint(colours);
  const asks = runs.some(({ questions, permissions }) => questions.length + permissions.length > 0);
  const rows = runs.map(({ id, workflow, status, resumable, startedAt, endedAt, questions, permissions }) => [
    id,
    shorten(safeLine(workflow), columns === null ? null : Math.max(LEAST_NAME, columns - BESIDE_NAME)),
    statusWord(status, paints) + (resumable ? paints.dim(" (resumable)") : ""),
    age(startedAt, now),
    endedAt === null ? "" : duration(endedAt - startedAt),
    ...(asks ? [[...questions.map(questionWord), ...permissions.map(askedWord)].join("; ")] : []),
  ]);
  const titles = ["RUN", "WORKFLOW", "STATUS", "STARTED", "TOOK", ...(asks ? ["WAITS FOR AN ANSWER TO"] : [])];
  return table(titles, rows, paints, columns);
}

/** Directories that are trusted, as they are given. */
export function trustTable(
  directories: readonly { cwd: string; at: number }[],
  now: number,
  { colours, columns }: TableOptions,
): string[] {
  const rows = directories.map(({ cwd, at }) => [safeLine(cwd), age(at, now)]);
  return table(["DIRECTORY", "TRUSTED"], rows, paint(colours), columns);
}

/** Agents that start without a question, and where. */
export function approvedTable(
  agents: readonly { agent: string; cwd: string; at: number; here: boolean }[],
  now: number,
  { colours, columns }: TableOptions,
): string[] {
  if (agents.length === 0) return [];
  const rows = agents.map(({ agent, cwd, at, here }) => [
    safeLine(agent),
    safeLine(cwd),
    here ? age(at, now) : "on another machine",
  ]);
  return table(["AGENT", "STARTS IN", "SINCE"], rows, paint(colours), columns);
}

type AnswerView = AskedView & { answer: string; agent: string; allowed: boolean; until: number | null; cwd: string };
/** What was answered for good about calls of tools, while it counts. */
export function answersTable(
  answers: readonly AnswerView[],
  now: number,
  { colours, columns }: TableOptions,
): string[] {
  if (answers.length === 0) return [];
  const rows = answers.map((one) => [
    one.answer.slice(0, 8),
    one.allowed ? "allowed" : "refused",
    safeLine(one.agent),
    askedWord(one),
    safeLine(one.cwd),
    one.until === null ? "with its session" : daysWord(one.until - now),
  ]);
  return table(["ANSWER", "CALL", "AGENT", "ASKED", "IN", "ENDS"], rows, paint(colours), columns);
}

const DAY = 24 * 60 * 60 * 1_000;
const daysWord = (ms: number): string => (ms < DAY ? `in ${duration(ms)}` : `in ${Math.round(ms / DAY)} days`);

/** The line before a run is resumed. */
export function resumeHeader(
  { workflow, id, status }: Pick<RunView, "workflow" | "id" | "status">,
  { colours }: Pick<TableOptions, "colours">,
): string {
  const { bold, dim } = paint(colours);
  return `${bold(safeLine(workflow))} ${dim(`· run ${id} · ${status === "parked" ? "waits for an answer" : "resumed"}`)}`;
}

/** What its log says of it: what it used, how long no process ran it, the run that it does again, those that did it again, its secret inputs, and the limit at which it has stopped. */
type RunFacts = {
  usage?: UsageSum;
  downMs?: number;
  rerun?: RerunOf | null;
  reruns?: readonly string[];
  secrets?: readonly string[];
  budget?: string | null;
};

/** Everything that is known of one run, a line each. */
export function runCard(
  run: RunView,
  now: number,
  { colours }: TableOptions,
  { usage = NO_USAGE, downMs = 0, rerun = null, reruns = [], secrets = [], budget = null }: RunFacts = {},
): string[] {
  const paints = paint(colours);
  const took = run.endedAt === null ? "" : tookWords(run.endedAt - run.startedAt, downMs);
  const fields: [string, string][] = [
    ["run", run.id],
    ["workflow", safeLine(run.workflow)],
    ["status", statusWord(run.status, paints)],
    ["does", rerun === null ? "" : rerunWords(rerun)],
    ["again as", reruns.map(safeLine).join(", ")],
    ["started", `${new Date(run.startedAt).toISOString()} (${age(run.startedAt, now)})`],
    ["took", took],
    ["used", usageWords(usage).join(" · ")],
    ["exit code", isChosen(run.status, run.error) ? String(run.exitCode) : ""],
    ["error", run.error === null ? "" : `${safeLine(run.error.message)} [${safeLine(run.error.code)}]`],
    ["directory", safeLine(run.cwd)],
    ["session", run.session],
    ...run.questions.map((question): [string, string] => [
      "waits for",
      `an answer of ${labelOf(question)} to: ${questionWord(question)}`,
    ]),
    ...run.permissions.flatMap((asked): [string, string][] => [
      ["waits for", `a decision: ${safeLine(asked.title)}`],
      ["asks", authorWords(asked)],
      ["would do", deedWord(asked)],
      ["decide", howToDecide(run.id, asked)],
    ]),
    [...goOn(run, secrets, budget)],
  ];
  return card(fields, { colours });
}

/** A second or more without a process is said, with the whole time: a list knows no other. */
const tookWords = (whole: number, downMs: number): string =>
  `${duration(whole - downMs)}${downMs < 1_000 ? "" : ` at work, ${duration(whole)} from its beginning to its end`}`;

/** Fields with their names, a line each; those without a value are left out. */
export function card(fields: readonly [string, string][], { colours }: Pick<TableOptions, "colours">): string[] {
  const { dim } = paint(colours);
  return fields.filter(([, value]) => value !== "").map(([name, value]) => `${dim(name.padEnd(10))} ${value}`);
}

/** What is asked about, whole: a person may decide by it. */
function deedWord(asked: AskedView): string {
  const deed = deedOf(asked);
  const edits = (asked.edits ?? []).map((edit) => editText(edit).replaceAll("\n", "\\n"));
  return [...(deed === undefined ? [] : [safeConsent(inputLine(deed))]), ...edits].join(", ");
}
/** The question of the workflow's author; what an agent says of its tool is not shown beside it. */
const authorWords = ({ message = "", step = "", tool }: AskedView): string =>
  step === "" || tool !== undefined ? "" : safeConsent(message).replaceAll("\n", "\\n");

const MAX_DEED = 60;
const askedWord = (asked: AskedView): string =>
  `${safeLine(asked.title)} ${shorten(deedWord(asked), MAX_DEED)}`.trimEnd();

/** What a person does next; a run whose cancel a crash has cut off does not go on. */
function goOn({ id, status, resumable, questions }: RunView, secrets: readonly string[], budget: string | null) {
  if (questions.length > 0) return ["resume", howToAnswer(id, secrets)] as const;
  if (resumable) return ["resume", howToResume(id, secrets, budget)] as const;
  return ["cancel", status === "interrupted" ? `troupe cancel ${id} ends it; it does not go on` : ""] as const;
}

const inputWord = ({ name, required, default: value }: WorkflowView["inputs"][number]): string =>
  required && value === undefined ? name : `[${name}]`;

function statusWord(status: string, paints: Paint): string {
  if (status === "completed") return paints.green(status);
  if (status === "failed") return paints.red(status);
  return status === "running" ? paints.cyan(status) : paints.yellow(safeLine(status));
}

export function table(titles: string[], rows: string[][], paints: Paint, columns: number | null): string[] {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const line = (cells: string[], style: (text: string) => string): string => {
    const padded = cells.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)));
    return shorten(style(padded.join("  ").trimEnd()), columns);
  };
  return [line(titles, paints.dim), ...rows.map((row) => line(row, (text) => text))];
}
