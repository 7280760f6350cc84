/** What can be read off a run that has ended, for one that does it again. */
import type { Allowance } from "../budget/budget.ts";
import { allOf } from "../kept-results.ts";
import type { Json, LoopRest, Outcome, StateResults, TakenOver } from "../model.ts";
import type { Workflow } from "../workflow/document.ts";
import { outcomeOf, type RunContext } from "./walk.ts";

export type RunReading = {
  workflow: Workflow;
  inputs: { [name: string]: Json };
  outcome: Outcome;
  /** The results of its states, as far as something reads them. */
  states: StateResults;
  /** What loops have left undone, by their names. */
  rests: { [state: string]: LoopRest };
  /** What it has taken over itself of an earlier one. */
  taken?: TakenOver;
  /** What its user let it spend. */
  budget?: Allowance;
};

export const readRun = ({ birth: { workflow, inputs, taken, budget }, position }: RunContext): RunReading => ({
  workflow,
  inputs,
  outcome: outcomeOf(position),
  states: allOf(position),
  rests: position.rests ?? {},
  ...(taken === undefined ? {} : { taken }),
  ...(budget === undefined ? {} : { budget }),
});
