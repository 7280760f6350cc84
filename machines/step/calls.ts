/** The rows by which a step names the run that it calls. */
import type { RunSettled, StepInput } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import type { Called } from "./context.ts";

type Birth = Pick<StepInput, "origin" | "node">;

export const callStartRow = ({ origin, node }: Birth, { run, workflow }: Called): Row => ({
  type: "step.call_workflow.started",
  run: origin.run,
  childRun: run,
  step: origin.step,
  payload: { name: node.name, workflow },
});

/** `output`: what the called run answered, or null where its machine failed. */
export const callEndRow = ({ origin, node }: Birth, { run, workflow }: Called, output: unknown): Row => ({
  type: "step.call_workflow.completed",
  run: origin.run,
  childRun: run,
  step: origin.step,
  payload: { name: node.name, workflow, status: (output as RunSettled | null)?.outcome.status ?? "failed" },
});
