/**
 * The questions of an `ask` step, rendered before the first is asked.
 *
 * I1. A default is an answer: one that its question does not allow is a fault before a person is asked.
 */
import { type AskField, type AskForm, fitting, opened } from "../../machines/ask/form.ts";
import type { Json } from "../../machines/model.ts";
import type { AskChoice, AskNode, AskQuestion } from "../../machines/workflow/document.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Rendering } from "./rendering.ts";

const MOST_CHOICES = 200;

/** Throws a `TroupeError`. */
export function formOf({ name, message, questions }: AskNode, rendering: Rendering): AskForm {
  const fields = questions.map((question, index) => fieldOf(question, `states.${name}.questions[${index}]`, rendering));
  return opened(fields, message === null ? null : rendering.text(message, `states.${name}.message`));
}

function fieldOf(question: AskQuestion, where: string, rendering: Rendering): AskField {
  const { name, type, required, validation } = question;
  const choices = question.choices === undefined ? null : choicesOf(question.choices, `${where}.choices`, rendering);
  const field: AskField = {
    name,
    prompt: rendering.text(question.prompt, `${where}.prompt`),
    type,
    required,
    ...(choices === null ? {} : { choices }),
    validation,
  };
  if (question.default === undefined) return field;
  const given = rendering.value(question.default, `${where}.default`);
  // A template that gives nothing is no default.
  if (given === "" || given === null) return field;
  const taken = fitting(field, given);
  if (!taken.ok) throw bad(`${where}.default`, `found ${JSON.stringify(given)}; expected ${taken.expected}`);
  return { ...field, default: taken.value };
}

function choicesOf(
  given: (AskQuestion["choices"] & object) | string,
  where: string,
  rendering: Rendering,
): AskChoice[] {
  const choices =
    typeof given === "string"
      ? listed(rendering.text(given, where), where)
      : given.map((choice, index) => rendered(choice, `${where}[${index}]`, rendering));
  if (choices.length === 0 || choices.length > MOST_CHOICES)
    throw bad(where, `found ${choices.length} choices; expected 1 to ${MOST_CHOICES}`);
  return choices;
}

function rendered({ value, label }: AskChoice, where: string, rendering: Rendering): AskChoice {
  const shown = label === undefined ? {} : { label: rendering.text(label, `${where}.label`) };
  return { value: rendering.text(value, `${where}.value`), ...shown };
}

/** A JSON list of texts or of `{value, label}`, or words with commas between them. */
function listed(text: string, where: string): AskChoice[] {
  if (!text.trimStart().startsWith("["))
    return text
      .split(",")
      .map((word) => ({ value: word.trim() }))
      .filter(({ value }) => value !== "");
  let list: Json;
  try {
    list = JSON.parse(text) as Json;
  } catch {
    throw bad(where, "found a list that is no JSON");
  }
  return (list as Json[]).map((item): AskChoice => {
    if (typeof item === "string" || typeof item === "number") return { value: String(item) };
    const { value, label } = (item ?? {}) as { value?: Json; label?: Json };
    if (typeof value !== "string" && typeof value !== "number")
      throw bad(where, `found ${JSON.stringify(item)}; expected text, or an object with value and label`);
    return typeof label === "string" ? { value: String(value), label } : { value: String(value) };
  });
}

const bad = (field: string, what: string): TroupeError =>
  new TroupeError("WORKFLOW.ASK.BAD_QUESTION", `${field}: ${what}`, { field });
