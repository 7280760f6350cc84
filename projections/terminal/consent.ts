/**
 * The question that a person decides by: written from structured fields, whole, with nothing invisible in it.
 *
 * I1. Nothing is cut: what does not fit is wrapped.
 * I2. What an option does is said by its kind, beside the name that the asker chose for it.
 */
import type { PermissionOptionKind, RowOf } from "../../machines/exchange.ts";
import { inputText, placesOf, wholeOf } from "../shared/input-text.ts";
import { editLines } from "./edit.ts";
import { paint } from "./paint.ts";
import { safeConsent } from "./safe.ts";
import { wrap } from "./width.ts";

type PermissionRequested = RowOf<"permission.requested">["payload"];
/** `keeps`: an answer for good is kept; by default it is. `choices`: false where nobody can choose. */
export type ConsentOptions = { colours: boolean; columns: number | null; keeps?: boolean; choices?: boolean };

/** What was said for good of a tool holds in its session; of a directory for the user, unless nothing is kept. */
function meaningOf(kind: PermissionOptionKind, { tool }: PermissionRequested, keeps: boolean): string {
  const [does, often] = kind.split("_");
  const word = does === "allow" ? "allow" : "refuse";
  if (often === "once") return `${word}, this time`;
  return `${word}, ${tool !== undefined ? "for the rest of this session" : keeps ? "from now on" : "until this ends"}`;
}

/** Lines to write before an answer is read; options are numbered from 1. */
export function consentLines(
  question: PermissionRequested,
  { colours, columns, keeps = true, choices = true }: ConsentOptions,
): string[] {
  const { bold, dim, yellow } = paint(colours);
  const text = (value: string, margin: string): string[] =>
    wrap(safeConsent(value), columns === null ? null : columns - margin.length).map((line) => margin + line);
  const [title = "", ...rest] = text(question.title, "  ");
  const about = wholeOf(question);
  return [
    `${yellow("?")} ${bold(title.slice(2))}`,
    ...rest.map(bold),
    ...(question.message === "" ? [] : text(question.message, "  ")),
    ...(about === undefined ? [] : text(inputText(about), "  ").map(dim)),
    ...(question.edits ?? []).flatMap((edit) =>
      editLines(edit, { colours, columns: columns === null ? null : columns - 2 }).map((line) => `  ${line}`),
    ),
    ...placesOf(question).flatMap(({ path, line }) => text(line === undefined ? path : `${path}:${line}`, "  ")),
    ...(question.timeoutMs === undefined
      ? []
      : text(`without an answer within ${question.timeoutMs / 1000} s: no`, "  ")),
    ...(choices ? question.options : []).flatMap(({ name, kind }, index) =>
      text(`${index + 1}) ${name} (${meaningOf(kind, question, keeps)})`, "  "),
    ),
  ];
}

/**
 * The option of an answer that was given before it was asked for. `allow` and `deny` choose by kind, for this time only,
 * whatever the asker calls its options.
 */
export function optionOf(question: PermissionRequested, answer: string): string | null {
  const kind = answer === "allow" ? "allow_once" : answer === "deny" ? "reject_once" : null;
  if (kind === null) return chosen(question, answer);
  const once = question.options.filter((option) => option.kind === kind);
  return once.length === 1 ? (once[0]?.id ?? null) : null;
}

const YES: ReadonlySet<string> = new Set(["y", "yes"]);
const NO: ReadonlySet<string> = new Set(["n", "no"]);
/** What a plain yes or no means: this time, or the only option of that kind. */
function plainly(options: PermissionRequested["options"], meant: RegExp): string | null {
  const fit = options.filter(({ kind }) => meant.test(kind));
  const once = fit.filter(({ kind }) => kind.endsWith("_once"));
  const [only, ...others] = once.length > 0 ? once : fit;
  return only !== undefined && others.length === 0 ? only.id : null;
}

/** The option that an answer names: y or n, its number, id or the first letters of its name; null when it names none. */
export function chosen({ options }: PermissionRequested, answer: string): string | null {
  const word = answer.trim().toLowerCase();
  if (word === "") return null;
  const numbered = /^\d+$/.test(word) ? options[Number(word) - 1] : undefined;
  if (numbered !== undefined) return numbered.id;
  const meant = YES.has(word) ? /^allow_/ : NO.has(word) ? /^reject_/ : null;
  if (meant !== null) return plainly(options, meant);
  const exact = options.find(({ id }) => id.toLowerCase() === word);
  if (exact !== undefined) return exact.id;
  const near = options.filter(({ name }) => name.toLowerCase().startsWith(word));
  return near.length === 1 ? (near[0]?.id ?? null) : null;
}
