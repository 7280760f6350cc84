/** Notices of work: what a reader of the log should know, and what fails nothing. */
import type { Origin } from "../../machines/model.ts";
import type { WorkContext } from "../host/host.ts";

/** A notice in the log, at the place of the step; at the run's own where it belongs to no step. */
export const notesOf =
  (context: Pick<WorkContext, "record">, { run, step }: Pick<Origin, "run" | "step">) =>
  (severity: "info" | "warning", message: string): void =>
    context.record({ type: "notice", run, ...(step === "" ? {} : { step }), payload: { severity, message } });

/** As `notesOf`, of warnings alone. */
export const warningsOf = (context: Pick<WorkContext, "record">, origin: Pick<Origin, "run" | "step">) => {
  const note = notesOf(context, origin);
  return (message: string): void => note("warning", message);
};
