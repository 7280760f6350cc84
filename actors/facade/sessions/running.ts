/** A run that is asked for by name, and the budget that its user gives it. */

import { type Allowance, lowest } from "../../../machines/budget/budget.ts";
import type { Intent, Prompt } from "../../../machines/contracts.ts";
import type { Key } from "../../../machines/model.ts";
import type { RunRequest } from "../../api/records.ts";
import { runIntent } from "../../prompt/interpret.ts";
import { placeOf } from "../committed.ts";
import type { Runtime } from "../runtime.ts";

type RunIntent = Extract<Intent, { type: "run" }>;

/** As a prompt would say it. */
export const runText = ({ workflow, inputs }: Pick<RunRequest, "workflow" | "inputs">): string =>
  [`/${workflow}`, ...Object.entries(inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(" ");

/** Throws what a run throws that cannot begin. */
export async function askedRun(
  runtime: Runtime,
  { workflow, inputs, consent, budget }: RunRequest,
  { session, cwd, turn }: { session: Key; cwd: string; turn: string },
): Promise<RunIntent> {
  const place = placeOf(runtime, session, cwd);
  const host = { ...runtime.askHost, secrets: { mask: runtime.mask, turn } };
  const intent = await runIntent(runtime.catalogue, { workflow, inputs, consent }, place, host);
  return budget === undefined ? intent : { ...intent, budget };
}

/** With the budget of the user's configuration; the lowest limit holds. */
export function budgeted(asks: Prompt["asks"], configured: Allowance | undefined): Prompt["asks"] {
  if (asks.type === "text") return { ...asks, otherwise: budgeted(asks.otherwise, configured) as Intent };
  if (asks.type !== "run") return asks;
  const budget = lowest(asks.budget, configured);
  return budget === undefined ? asks : { ...asks, budget };
}
