/** A run that is asked for by name, and the budget that its user gives it. */

import { type Allowance, lowest } from "../../../machines/budget/budget.ts";
import type { Intent, Prompt } from "../../../machines/contracts.ts";
import type { Json, Key } from "../../../machines/model.ts";
import type { RunRequest } from "../../api/records.ts";
import { refuseGone } from "../../base/directory.ts";
import type { Workflows } from "../../catalogue/catalogue.ts";
import { runIntent } from "../../prompt/interpret.ts";
import { checkedRun } from "../call-forms.ts";
import { placeOf } from "../committed.ts";
import type { Runtime } from "../runtime.ts";
import { checkedAllowance } from "./allowance.ts";

type RunIntent = Extract<Intent, { type: "run" }>;

/** With inputs that are data already. */
export type ValuedRequest = Omit<RunRequest, "inputs"> & { inputs: { [name: string]: Json } };
/** What a part of ours says of a run that it starts: its id, and whence its workflow is read. */
export type RunGiven = { run?: string; catalogue?: Workflows };
type RunPlace = RunGiven & { session: Key; cwd: string; turn: string };

/** As a prompt would say it. Throws USER.FACADE.INVALID_REQUEST. */
export function runText(request: ValuedRequest): string {
  const { workflow, inputs } = checkedRun(request);
  return [`/${workflow}`, ...Object.entries(inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(
    " ",
  );
}

/** Throws what a run throws that cannot begin. */
export async function askedRun(
  runtime: Runtime,
  { workflow, inputs, consent, budget }: ValuedRequest,
  { session, cwd, turn, run, catalogue }: RunPlace,
): Promise<RunIntent> {
  refuseGone(cwd);
  const place = placeOf(runtime, session, cwd);
  const host = { ...runtime.askHost, secrets: { mask: runtime.mask, turn } };
  const intent = await runIntent(catalogue ?? runtime.catalogue, { workflow, inputs, consent }, place, host);
  return {
    ...intent,
    ...(run === undefined ? {} : { run }),
    ...(budget === undefined ? {} : { budget: checkedAllowance(budget) }),
  };
}

/** With the budget of the user's configuration; the lowest limit holds. */
export function budgeted(asks: Prompt["asks"], configured: Allowance | undefined): Prompt["asks"] {
  if (asks.type === "text") return { ...asks, otherwise: budgeted(asks.otherwise, configured) as Intent };
  if (asks.type !== "run") return asks;
  const budget = lowest(asks.budget, configured);
  return budget === undefined ? asks : { ...asks, budget };
}
