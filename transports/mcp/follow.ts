/**
 * A run as one call of a tool: it is waited for, its questions are put to a person, and what comes of it is the result.
 *
 * I1. A question that no person answers stays open: the result says so, and how to answer.
 * I2. A cancelled call cancels what runs. A run that is parked stays parked: nothing of it runs.
 */
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { consentText } from "../../projections/acp/consent.ts";
import { permissionForm, permissionKey, questionForm, questionKey } from "../../projections/mcp/form.ts";
import { type ResultOptions, runResult } from "../../projections/mcp/result.ts";
import { takeAnswers } from "./answers.ts";
import { askNow, type Caller, type Forms, type Responses, requireInput, showsForms } from "./asking.ts";
import { awaitRun, CallCancelled } from "./await.ts";
import { tellProgress } from "./progress.ts";
import type { McpServed } from "./served.ts";
import { endOf, isAlive, type Standing, standing } from "./standing.ts";

/** `responses`: what a person has said to the forms of an earlier round. `past`: permissions that end no wait. */
export type FollowCall = { run: string; caller: Caller; waitMs: number } & {
  responses?: Responses | undefined;
  past?: ReadonlySet<string> | undefined;
};

/** So often a call asks again after an answer that is none; the result says then what is wrong. */
const MOST_FAULTS = 5;

export async function followRun(
  served: McpServed,
  { run, caller, waitMs, responses, past }: FollowCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal } = caller.context.mcpReq;
  const tell = tellProgress(caller.context);
  let said = responses;
  for (let faults = 0; ; ) {
    if (said !== undefined) {
      const { hasAnswered, refused } = await takeAnswers(served, run, said);
      if (!hasAnswered || refused !== null) return resultOf(served, await standing(served, run), refused);
    }
    const waited = await awaitRun(served, run, { waitMs, signal, tell, past }).catch((error: unknown) =>
      leave(served, run, error),
    );
    const forms = waited.why === "asked" ? formsOf(waited) : {};
    if (Object.keys(forms).length === 0 || !showsForms(caller)) return resultOf(served, waited);
    if (caller.era === "modern") return requireInput(forms, run);
    if (waited.record.questions.some(({ form }) => form?.fault !== undefined)) faults += 1;
    if (faults > MOST_FAULTS) return resultOf(served, waited); // no person says the same again and again
    said = await askNow(caller, forms);
    if (signal.aborted) await leave(served, run, new CallCancelled());
  }
}

/** A run as it stands, as a result. `refused`: why a decision that the call brought was none. */
export function resultOf(
  { settings }: McpServed,
  one: Standing,
  refused: ResultOptions["refused"] = null,
): CallToolResult {
  const options = { runs: settings.groups.includes("runs"), decides: settings.allowDecide, refused };
  return runResult(one.record, endOf(one), options);
}

/** The questions of a run that are open now. */
export function formsOf({ record: { workflow, questions, permissions } }: Standing): Forms {
  return Object.fromEntries([
    ...questions.map((one) => [questionKey(one), questionForm(one, workflow)] as const),
    ...permissions.map((one) => [permissionKey(one), permissionForm(one, workflow, consentText(one))] as const),
  ]);
}

/** I2. */
async function leave(served: McpServed, run: string, error: unknown): Promise<never> {
  if (error instanceof CallCancelled) {
    const { record, session } = await standing(served, run);
    if (isAlive(record)) await session.cancel();
  }
  throw error;
}
