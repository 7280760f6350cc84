/** All kinds of steps by the word that names them in a file. */
import { agentStep } from "./agent.ts";
import { callStep } from "./call-workflow.ts";
import { commandStep } from "./command.ts";
import { forEachStep, whileStep } from "./loop.ts";
import { operationStep } from "./operation.ts";
import { parallelStep } from "./parallel.ts";
import { terminalStep } from "./terminal.ts";

export const STEPS = {
  command: commandStep,
  agent: agentStep,
  operation: operationStep,
  call_workflow: callStep,
  parallel: parallelStep,
  for_each: forEachStep,
  while: whileStep,
  terminal: terminalStep,
} as const;
export type StepWord = keyof typeof STEPS;
export const STEP_WORDS = Object.keys(STEPS) as StepWord[];
