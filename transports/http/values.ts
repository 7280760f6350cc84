/**
 * Answers to several questions of a step at once, by name.
 *
 * I1. A name that the step does not ask for is refused: as text it would be the answer to the question that is next.
 */
import { type RunRecord, TroupeError } from "../../actors/troupe.ts";

type Values = { readonly [name: string]: unknown };

/** The text that answers with them. Throws where the question, or the one that is asked first, has no such name (I1). */
export function textOf(values: Values, { id, questions }: RunRecord, question: string | undefined): string {
  const asked = question === undefined ? questions[0] : questions.find(({ input }) => input === question);
  const names = asked?.form?.fields.map(({ name }) => name) ?? [];
  const other = Object.keys(values).find((name) => !names.includes(name));
  if (asked === undefined || other === undefined) return JSON.stringify(values);
  const expected = names.length === 0 ? "text: this question has no fields" : names.join(", ");
  const message = `values.${other}: step "${asked.step}" of run ${id} asks for nothing of that name: expected ${expected}`;
  throw new TroupeError("USER.SERVE.INVALID_REQUEST", message, { field: `values.${other}` });
}
