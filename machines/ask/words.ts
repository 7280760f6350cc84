/** A question of an `ask` step in words, for clients without forms: the question, its choices, and what to type. */
import type { AskChoice } from "../workflow/document.ts";
import { type AskForm, isYesOrNo, standing } from "./form.ts";

const shown = ({ value, label }: AskChoice): string => (label === undefined ? value : `${label} (${value})`);

/** The words of the question that is asked now; "" where none is. */
export function askedWords(form: AskForm): string {
  const { fields, at, message, fault } = form;
  const field = fields[at];
  if (field === undefined) return "";
  const choices = (field.choices ?? []).map((choice, index) => `  ${index + 1}. ${shown(choice)}`);
  return [
    ...(message === undefined || at > 0 || fault !== undefined ? [] : [message.trimEnd(), ""]),
    askedLine(form),
    ...choices,
    ...ways(form),
  ].join("\n");
}

/** What is asked now, without the choices; before it, why the last answer was none. */
export function askedLine({ fields, at, fault }: AskForm): string {
  const place = fields.length === 1 ? "" : `(${at + 1} of ${fields.length}) `;
  const wrong = fault === undefined ? "" : `That was no answer: ${fault}. `;
  return `${wrong}${place}${(fields[at]?.prompt ?? "").trimEnd()}`;
}

function ways(form: AskForm): string[] {
  const field = form.fields[form.at];
  if (field === undefined) return [];
  const kept = standing(form, field);
  const words = typeof kept === "boolean" ? (kept ? "yes" : "no") : String(kept);
  const empty = kept === undefined ? [] : [`empty: ${kept === null ? "leave it out" : words}`];
  const skip = field.required || kept === null ? [] : ["-: leave it out"];
  const back = form.at === 0 ? [] : ["<: back"];
  const all = [...(isYesOrNo(field) ? ["yes or no"] : []), ...empty, ...skip, ...back];
  return all.length === 0 ? [] : [`[${all.join(" · ")}]`];
}
