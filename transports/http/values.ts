/**
 * An answer as a program gives it: words, or values by name for several questions of a step at once.
 *
 * I1. A name that the step does not ask for is refused: as text it would be the answer to the question that is next.
 * I2. So is an answer that the question does not allow, with what it allows. A person would be asked again; a program
 *     that is told that its answer was taken does not look.
 */
import { type AnswerOptions, type Question, TroupeError } from "../../actors/troupe.ts";
import { askRefusal } from "../../projections/shared/ask-form.ts";

type Values = { readonly [name: string]: unknown };
type Said = { text?: string | undefined; values?: Values | undefined };

/** The text that answers, and what throws USER.SERVE.INVALID_REQUEST where the question that it comes to does not take it. */
export function answerOf({ text = "", values }: Said): Required<Pick<AnswerOptions, "text" | "check">> {
  const words = values === undefined ? text : JSON.stringify(values);
  return {
    text: words,
    check: (question) => {
      if (values !== undefined) refuseOthers(question, values);
      const refused = question.form === undefined ? null : askRefusal(question.form, words);
      if (refused === null) return;
      const field = values === undefined ? "text" : `values.${refused.name}`;
      const message = `${field} does not answer "${refused.name}" of ${whereOf(question)}: ${refused.fault}`;
      throw wrong(field, message, { expected: refused.fault.replace(/^expected /, "") });
    },
  };
}

/** I1. */
function refuseOthers(question: Question, values: Values): void {
  const names = question.form?.fields.map(({ name }) => name) ?? [];
  const other = Object.keys(values).find((name) => !names.includes(name));
  if (other === undefined) return;
  const expected = names.length === 0 ? "text: this question has no fields" : names.join(", ");
  const field = `values.${other}`;
  throw wrong(field, `${field}: ${whereOf(question)} asks for nothing of that name: expected ${expected}`);
}

const whereOf = ({ step, run }: Question): string => `step "${step}" of run ${run}`;
const wrong = (field: string, message: string, more: { expected?: string } = {}): TroupeError =>
  new TroupeError("USER.SERVE.INVALID_REQUEST", message, { field, ...more });
