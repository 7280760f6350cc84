/**
 * The questions of an `ask` step as one form: a flat field each, with what stands there already.
 *
 * I1. All questions are fields, those that were answered too: to go back is to look up.
 * I2. What comes back is the values of fields that were asked for; whether they are answers, the step decides.
 * I3. A choice that holds a secret is shown masked, and only the step knows it: such a question refuses no answer here.
 */
import { type Answers, type AskField, type AskForm, answered, standing } from "../../machines/ask/form.ts";
import { sentence } from "../../machines/sentence.ts";
import { visible, visibleLine } from "../../machines/visible.ts";

export type { AskForm } from "../../machines/ask/form.ts";
export { answersItself } from "../../machines/ask/form.ts";

type Choices = { enum: string[]; enumNames?: string[] } | { oneOf: { const: string; title: string }[] };
type About = { title: string; description?: string };
export type AskProperty = About &
  (
    | ({ type: "string"; default?: string; pattern?: string } & Partial<Choices>)
    | { type: "integer"; default?: number; minimum?: number; maximum?: number }
    | { type: "boolean"; default?: boolean }
  );
export type AskSchema = { type: "object"; properties: { [name: string]: AskProperty }; required: string[] };
/** How the words of a choice stand beside its value. */
export type Labels = "oneOf" | "enumNames";

export function askSchema(form: AskForm, labels: Labels): AskSchema {
  const { fields } = form;
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(form, field, labels)])),
    required: fields.filter((field) => standing(form, field) === undefined).map(({ name }) => name),
  };
}

/** What stands above the form. */
export function askMessage({ message, fault, fields, at }: AskForm, where: string): string {
  const wrong = fault === undefined ? [] : [asideOf(visibleLine(fields[at]?.prompt ?? ""), visibleLine(fault))];
  return [...(message === undefined ? [where] : [visible(message)]), ...wrong].join("\n\n");
}

/** What was wrong, behind the question that it is about. */
const asideOf = (question: string, fault: string): string =>
  /[.:?!]$/.test(question) ? `${question} ${sentence(fault)}` : `${question}: ${fault}`;

/** The values of an accepted form; null when it was declined or is no answer (I2). */
export function askValues({ fields }: AskForm, response: unknown): Answers | null {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: unknown };
  if (action !== "accept" || typeof content !== "object" || content === null || Array.isArray(content)) return null;
  const given = Object.entries(content).filter(
    (entry): entry is [string, string | number | boolean] =>
      fields.some(({ name }) => name === entry[0]) && ["string", "number", "boolean"].includes(typeof entry[1]),
  );
  return Object.fromEntries(given);
}

/** What the step would say to an answer that it does not take, and of which question; null where it takes it, or may (I3). */
export function askRefusal(form: AskForm, text: string): { name: string; fault: string } | null {
  const { fields, at, fault } = answered({ ...form, fields: form.fields.map(asFarAsSeen) }, text);
  return fault === undefined ? null : { name: fields[at]?.name ?? "", fault };
}

const MASKED = "***";

/** The question as its masked form can judge answers (I3). */
function asFarAsSeen(field: AskField): AskField {
  const { choices, ...open } = field;
  return choices?.some(({ value }) => value.includes(MASKED)) ? { ...open, validation: {} } : field;
}

function propertyOf(form: AskForm, field: AskField, labels: Labels): AskProperty {
  const { prompt, type, choices, required, validation } = field;
  const kept = standing(form, field) ?? null;
  const about = { title: visibleLine(prompt), ...(required ? {} : { description: "May be left out." }) };
  if (choices !== undefined)
    return {
      type: "string",
      ...about,
      ...choicesOf(choices, labels),
      ...(kept === null ? {} : { default: String(kept) }),
    };
  switch (type) {
    case "string":
      return { type, ...about, ...(kept === null ? {} : { default: String(kept) }) };
    case "integer": {
      const { min, max } = validation;
      return {
        type,
        ...about,
        ...(typeof kept === "number" ? { default: kept } : {}),
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
      };
    }
    case "boolean":
      return { type, ...about, ...(typeof kept === "boolean" ? { default: kept } : {}) };
    default:
      return type satisfies never;
  }
}

function choicesOf(choices: AskField["choices"] & object, labels: Labels): Choices {
  const values = choices.map(({ value }) => value);
  if (choices.every(({ label }) => label === undefined)) return { enum: values };
  const titles = choices.map(({ value, label }) => visibleLine(label ?? value));
  return labels === "enumNames"
    ? { enum: values, enumNames: titles }
    : { oneOf: values.map((value, index) => ({ const: value, title: titles[index] ?? value })) };
}
