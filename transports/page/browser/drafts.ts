/**
 * What is typed for a question and not sent yet.
 *
 * I1. It stays with its step: whatever becomes of other questions, and while the run goes on in between.
 */
import type { OpenRun, PageRun } from "./state.ts";

type Question = Pick<PageRun["questions"][number], "run" | "step">;

/** A step has one open question at a time: what is typed stays there when its next one comes. */
export const placeOf = ({ run, step }: Question): string => `${run} ${step}`;

/** By the names of the fields. */
export const draftOf = ({ drafts }: OpenRun, question: Question): { [field: string]: string } =>
  drafts.get(placeOf(question)) ?? {};

export const keepDraft =
  (run: OpenRun, question: Question) =>
  ({ target }: Event): void => {
    const field = target as HTMLInputElement;
    // Half a number has no value yet, and must not be taken away.
    if (!field.validity.badInput)
      run.drafts.set(placeOf(question), { ...draftOf(run, question), [field.name]: field.value });
  };

export const dropDraft = ({ drafts }: OpenRun, question: Question): void => void drafts.delete(placeOf(question));
