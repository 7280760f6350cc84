/**
 * The questions of an `ask` step and what was answered so far: one answer after the other, or several at once.
 *
 * I1. An answer that a question does not allow changes only the fault that is shown with the question.
 * I2. Answers are kept when a person goes back: an empty answer then takes the earlier one.
 * I3. A form that is done has a value for every question; null where an optional one was left out.
 */
import { type Json, own } from "../model.ts";
import type { AskChoice, AskQuestion, InputType } from "../workflow/document.ts";
import { coerce } from "../workflow/input/coerce.ts";
import { brokenRules } from "../workflow/input/rules.ts";

/** One question, rendered. With `choices` the answer is one of them. */
export type AskField = {
  name: string;
  prompt: string;
  type: InputType;
  required: boolean;
  default?: Json;
  choices?: AskChoice[];
  validation: AskQuestion["validation"];
};
export type Answers = { [name: string]: Json };
/** `at`: the question that is asked now. `fault`: why the last answer was none. */
export type AskForm = { message?: string; fields: AskField[]; answers: Answers; at: number; fault?: string };

/** What goes back to the question before, and what leaves one out. An editor may keep words with a slash to itself. */
const BACK = ["<", "/back"];
const SKIP = ["-", "/skip"];

export const opened = (fields: AskField[], message: string | null): AskForm => ({
  ...(message === null ? {} : { message }),
  fields,
  answers: {},
  at: 0,
});

export const isDone = ({ fields, at }: AskForm): boolean => at >= fields.length;

/** What stands for a question where a person says nothing: what was said before, the default, or nothing at all. */
export function standing({ answers }: AskForm, field: AskField): Json | undefined {
  const said = own(answers, field.name);
  return said === undefined ? (field.default ?? (field.required ? undefined : null)) : said;
}

/** Whether every question from this one on has an answer without a person. */
export const answersItself = (form: AskForm): boolean =>
  form.fields.slice(form.at).every((field) => standing(form, field) !== undefined);

/** The values of a text that answers several questions at once: a JSON object with nothing but names of questions. */
export function valuesIn({ fields }: AskForm, text: string): Answers | null {
  if (!text.trimStart().startsWith("{")) return null;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.keys(value).every((key) => fields.some(({ name }) => name === key)) ? value : null;
}

/** The form after an answer: words for the question that is asked, or values by name for what is left of it. */
export function answered({ fault: _, ...form }: AskForm, text: string): AskForm {
  const values = valuesIn(form, text);
  if (values !== null) return filled(form, values);
  const field = form.fields[form.at];
  if (field === undefined) return form;
  const words = text.trim();
  if (BACK.includes(words))
    return form.at === 0 ? { ...form, fault: "this is the first question" } : { ...form, at: form.at - 1 };
  const taken = SKIP.includes(words) && !field.required ? { ok: true as const, value: null } : said(form, field, text);
  if (!taken.ok) return { ...form, fault: faultOf(taken) };
  return { ...form, answers: { ...form.answers, [field.name]: taken.value }, at: form.at + 1 };
}

/** With these values for what is left, and what stands for the others; it stops at the first that has none. */
function filled(form: AskForm, values: Answers): AskForm {
  const answers = { ...form.answers };
  let stop: { at: number; fault: string } | null = null;
  form.fields.forEach((field, index) => {
    const given = own(values, field.name) ?? null;
    if (given === null && index < form.at) return;
    const taken = given === null || given === "" ? unsaid(form, field) : fitting(field, given);
    if (taken.ok) answers[field.name] = taken.value;
    else stop ??= { at: index, fault: faultOf(taken) };
  });
  return { ...form, answers, ...(stop ?? { at: form.fields.length }) };
}

/** `expected`: in words that follow that one. */
type Taken = { ok: true; value: Json } | { ok: false; expected: string };
const faultOf = ({ expected }: { expected: string }): string => `expected ${expected}`;

function unsaid(form: AskForm, field: AskField): Taken {
  const value = standing(form, field);
  return value === undefined ? { ok: false, expected: "an answer" } : { ok: true, value };
}

/** A question that is answered by yes or no, and has no choices of its own. */
export const isYesOrNo = ({ type, choices }: AskField): boolean => type === "boolean" && choices === undefined;
const LETTERS = { y: "yes", n: "no" };

function said(form: AskForm, field: AskField, text: string): Taken {
  const words = text.trim();
  if (words === "") {
    const kept = unsaid(form, field);
    return kept.ok ? kept : { ok: false, expected: sayable(field) };
  }
  if (isYesOrNo(field)) {
    const taken = fitting(field, own(LETTERS, words.toLowerCase()) ?? words);
    return taken.ok ? taken : { ok: false, expected: "yes or no" };
  }
  return fitting(field, field.choices === undefined ? (field.type === "string" ? text : words) : chosen(field, words));
}

/** What may be said where nothing was, and nothing stands for it. */
function sayable(field: AskField): string {
  if (field.choices !== undefined) return "one of these, by its number or its words";
  if (isYesOrNo(field)) return "yes or no";
  return field.type === "integer" ? "a whole number" : "some words";
}

/** The choice that is meant by its value, its number or its label; what was said where none is. */
function chosen({ choices = [] }: AskField, words: string): string {
  const same = (text: string | undefined): boolean => text?.toLowerCase() === words.toLowerCase();
  const found =
    choices.find(({ value }) => value === words) ??
    (/^\d+$/.test(words) ? choices[Number(words) - 1] : undefined) ??
    choices.find(({ value, label }) => same(value) || same(label));
  return found?.value ?? words;
}

/** A value as the question wants it. */
export function fitting({ type, choices, validation }: AskField, value: Json): Taken {
  if (typeof value === "object") return { ok: false, expected: "text, a number, true or false" };
  const coerced = coerce(value, type);
  if (!coerced.ok) return { ok: false, expected: coerced.expected };
  const rules = choices === undefined ? validation : { ...validation, enum: choices.map((one) => one.value) };
  const [broken] = brokenRules(rules, coerced.value, undefined);
  return broken === undefined ? coerced : { ok: false, expected: broken.expected };
}

/** What a done form comes to, by question (I3). */
export const valuesOf = ({ fields, answers }: AskForm): Answers =>
  Object.fromEntries(fields.map(({ name }) => [name, own(answers, name) ?? null]));
