/**
 * What a parked run asks a person: as a question on the terminal, as a word in a table, and as the way to answer it
 * from elsewhere.
 *
 * I1. Nothing is cut from a question that is asked; what a table shows of it is one line.
 */
import type { AskForm } from "../../machines/ask/form.ts";
import { askedLine } from "../../machines/ask/words.ts";
import { numberedOf } from "../../machines/naming/address.ts";
import { paint } from "./paint.ts";
import { safeConsent, safeLine } from "./safe.ts";
import { shorten, wrap } from "./width.ts";

export type QuestionView = { input: string; step: string; prompt: string; said: string; form?: AskForm };
export type QuestionOptions = {
  colours: boolean;
  columns: number | null;
  /** False where the reader has just seen the words before the question. */
  words: boolean;
  /** Secret inputs of the run, which are given again with an answer. */
  secrets?: readonly string[];
};

const MAX_WORD = 60;
export const ENDING = "an empty line ends the conversation";

/** Lines to write before an answer is read. */
export function questionLines(question: QuestionView, { colours, columns, words }: QuestionOptions): string[] {
  const { bold, dim, yellow } = paint(colours);
  const ending = question.form === undefined ? ` ${dim(`(${ENDING})`)}` : "";
  return [
    `${yellow("?")} ${bold(`${labelOf(question)} waits for your answer`)}${ending}`,
    ...(words || question.prompt !== "" ? text(question, columns) : []),
  ];
}

/** What is left to say without a person to ask: which questions are open, and how to answer. */
export function parkedLines(run: string, questions: readonly QuestionView[], options: QuestionOptions): string[] {
  const { dim, yellow } = paint(options.colours);
  const open = questions.flatMap((question) => [
    `${yellow("?")} parked: ${labelOf(question)} waits for an answer`,
    ...(options.words || question.form !== undefined ? text(question, options.columns) : []),
  ]);
  return [...open, dim(`  ${howToAnswer(run, options.secrets)}`)];
}

/** A run that a crash has cut off, or that has stopped at a budget, and that was not resumed yet. */
export function interruptedLine(
  run: string,
  { colours, secrets, budget = null }: { colours: boolean; secrets?: readonly string[]; budget?: string | null },
): string {
  const { dim, yellow } = paint(colours);
  const why = budget === null ? "a step waits to be resumed" : "a step has stopped at a budget";
  return `${yellow("?")} interrupted: ${why} ${dim(`· ${howToResume(run, secrets, budget)}`)}`;
}

export const howToAnswer = (run: string, secrets?: readonly string[]): string =>
  `${howToResume(run, secrets)} --answer "…"`;
/** `budget`: the limit that lets it go on, where it has stopped at one. */
export const howToResume = (run: string, secrets: readonly string[] = [], budget: string | null = null): string =>
  [
    "troupe resume",
    run,
    ...secrets.map((name) => `-i ${safeLine(name)}=@-`),
    ...(budget === null ? [] : [`--budget ${budget}`]),
  ].join(" ");

export type DecisionView = { permission: string; options: readonly { id: string }[] };
/** The way to decide what a run asks while it runs. */
export const howToDecide = (run: string, { permission, options }: DecisionView): string =>
  `troupe decide ${run} --permission ${permission} <${options.map(({ id }) => safeLine(id)).join(" | ")}>`;

/** A question in a cell of a table. */
export const questionWord = ({ prompt, said, form }: QuestionView): string =>
  shorten(safeLine(form ? askedLine(form) : prompt === "" ? said : prompt).trim() || "the next words", MAX_WORD);

export const labelOf = ({ step }: QuestionView): string => `step "${safeLine(numberedOf(step))}"`;

function text({ prompt, said }: QuestionView, columns: number | null): string[] {
  const words = safeConsent(prompt === "" ? said : prompt).trimEnd();
  const width = columns === null ? null : columns - 2;
  return words === "" ? [] : wrap(words, width).map((line) => `  ${line}`);
}
