/**
 * What is typed for a question and not sent yet.
 *
 * I1. It stays with its step: whatever becomes of other questions, and while the run goes on in between.
 * I2. It is sent first to the question for which it was typed, though another one stands there by now: somebody else may
 *     have answered in between. Where that one is not open any more, it is for the question that stands there when it is
 *     sent again; where the server says anything else, or nothing, it is still for the first.
 * I3. Where it is no answer, that is said where it was typed.
 */
import { CallFault, call } from "./calls.ts";
import { attempt, changed, type Draft, type OpenRun, type PageRun, type Wrong } from "./state.ts";

type Question = Pick<PageRun["questions"][number], "run" | "step" | "input">;
type Fields = Draft["fields"];

/** A step has one open question at a time: what is typed stays there when its next one comes. */
export const placeOf = ({ run, step }: Pick<Question, "run" | "step">): string => `${run} ${step}`;

/** By the names of the fields. */
export const draftOf = ({ drafts }: OpenRun, question: Question): Fields => drafts.get(placeOf(question))?.fields ?? {};

/** What of it is no answer to the question that is asked now (I3). */
export function wrongIn({ drafts }: OpenRun, question: Question): Wrong | null {
  const draft = drafts.get(placeOf(question));
  return draft?.input === question.input ? (draft.wrong ?? null) : null;
}

export const keepDraft =
  (run: OpenRun, question: Question) =>
  ({ target }: Event): void => {
    const field = target as HTMLInputElement;
    // Half a number has no value yet, and must not be taken away.
    if (field.validity.badInput) return;
    const fields = { ...draftOf(run, question), [field.name]: field.value };
    const wasWrong = wrongIn(run, question) !== null;
    run.drafts.set(placeOf(question), { input: question.input, fields });
    if (wasWrong) changed();
  };

/** Sends the answer (I2); once it counts, what was typed is dropped and `taken` called, unless more was typed meanwhile. */
export function send(
  run: OpenRun,
  question: Question,
  answer: { text: string } | { values: Fields },
  taken = () => {},
) {
  const place = placeOf(question);
  const draft = run.drafts.get(place);
  const isUnchanged = (): boolean => run.drafts.get(place) === draft;
  const body = { ...answer, question: draft?.input ?? question.input };
  void attempt(async () => {
    try {
      await call(`/api/runs/${run.id}/answer`, { method: "POST", body });
    } catch (error) {
      const wrong = error instanceof CallFault ? error.wrong : null;
      if (isUnchanged() && wrong !== null)
        return void run.drafts.set(place, { input: body.question, fields: draft?.fields ?? {}, wrong });
      if (draft !== undefined && isUnchanged() && isClosed(error)) run.drafts.set(place, { ...draft, input: null });
      throw error;
    }
    if (!isUnchanged()) return; // I1
    run.drafts.delete(place);
    taken();
  });
}

const CLOSED: ReadonlySet<string> = new Set(["USER.FACADE.DUPLICATE_RESPONSE", "USER.FACADE.INPUT_REJECTED"]);
const isClosed = (error: unknown): boolean => error instanceof CallFault && CLOSED.has(error.code);
