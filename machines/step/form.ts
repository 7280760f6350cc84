/** What an `ask` step asks next, and what an answer makes of it. */
import { type AskForm, answered, isDone, valuesOf } from "../ask/form.ts";
import type { InputInput, InputSettled } from "../ask/parked.ts";
import { askedWords } from "../ask/words.ts";
import type { Prepared, StepInput } from "../contracts.ts";
import { type Born, CANCELLED, COMPLETED, type StateResult } from "../model.ts";
import type { Judgement } from "./attempts.ts";
import { nextWords } from "./questions.ts";
import { UNJUDGED, verdict } from "./verdicts.ts";

export type FormPrepared = Extract<Prepared, { type: "form" }>;
type Asks = { birth: Born & StepInput; form?: AskForm };

/** The question that is asked now, parked until a person answers. */
export const nextQuestion = ({ birth, form }: Asks): InputInput => ({
  ...nextWords({ birth }),
  ...(form === undefined ? {} : { prompt: askedWords(form), form }),
});

/** The form after an answer, and the step's result once all was asked. Without an answer it comes to a cancel. */
export function afterAnswer({ birth, form }: Asks, answer: unknown): { form?: AskForm; judgement: Judgement } {
  const settled = answer as InputSettled;
  if (form === undefined || settled.outcome !== "answered") return { judgement: verdict(CANCELLED) };
  const after = answered(form, settled.text);
  if (!isDone(after)) return { form: after, judgement: UNJUDGED };
  const values = valuesOf(after);
  const state: StateResult = { Output: JSON.stringify(values), Stderr: "", ExitCode: 0, Status: "completed" };
  return { form: after, judgement: verdict(COMPLETED, { [birth.node.name]: { ...state, JSON: values } }) };
}
