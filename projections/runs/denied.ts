/** Whether a step has failed because a person said no: nothing has exited then, and no code is told. */
export const isDenied = (error: { code: string } | null | undefined): boolean =>
  error?.code === "EXECUTION.STEP.DENIED";
