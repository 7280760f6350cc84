/** Notices of work: what a reader of the log should know, and what fails nothing. */
import type { Origin } from "../../machines/model.ts";
import type { WorkContext } from "../host/host.ts";

/** A warning in the log, at the place of the step; at the run's own where it belongs to no step. */
export const warningsOf =
  (context: Pick<WorkContext, "record">, { run, step }: Pick<Origin, "run" | "step">) =>
  (message: string): void =>
    context.record({
      type: "notice",
      run,
      ...(step === "" ? {} : { step }),
      payload: { severity: "warning", message },
    });
