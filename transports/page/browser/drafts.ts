/**
 * What is typed for a question and not sent yet.
 *
 * I1. It stays with its step: whatever becomes of other questions, and while the run goes on in between.
 * I2. It is sent first to the question for which it was typed, though another one stands there by now: somebody else may
 *     have answered in between. What is refused is for the question that stands there when it is sent again.
 */
import { call } from "./calls.ts";
import { attempt, type Draft, type OpenRun, type PageRun } from "./state.ts";

type Question = Pick<PageRun["questions"][number], "run" | "step" | "input">;
type Fields = Draft["fields"];

/** A step has one open question at a time: what is typed stays there when its next one comes. */
export const placeOf = ({ run, step }: Pick<Question, "run" | "step">): string => `${run} ${step}`;

/** By the names of the fields. */
export const draftOf = ({ drafts }: OpenRun, question: Question): Fields => drafts.get(placeOf(question))?.fields ?? {};

export const keepDraft =
  (run: OpenRun, question: Question) =>
  ({ target }: Event): void => {
    const field = target as HTMLInputElement;
    // Half a number has no value yet, and must not be taken away.
    if (field.validity.badInput) return;
    const fields = { ...draftOf(run, question), [field.name]: field.value };
    run.drafts.set(placeOf(question), { input: question.input, fields });
  };

/** Sends the answer (I2); what was typed is dropped, and `taken` called, once it counts. */
export function send(
  run: OpenRun,
  question: Question,
  answer: { text: string } | { values: Fields },
  taken = () => {},
) {
  const place = placeOf(question);
  const draft = run.drafts.get(place);
  if (draft !== undefined) run.drafts.set(place, { ...draft, input: null });
  const body = { ...answer, question: draft?.input ?? question.input };
  void attempt(async () => {
    await call(`/api/runs/${run.id}/answer`, { method: "POST", body });
    run.drafts.delete(place);
    taken();
  });
}
