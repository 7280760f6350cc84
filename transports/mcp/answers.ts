/** What a person has said to the forms of a run, on its way to the run. */
import { troupeError } from "../../actors/troupe.ts";
import { formAnswer, formDecision, permissionKey, questionKey } from "../../projections/mcp/form.ts";
import type { Responses } from "./asking.ts";
import { offer } from "./offer.ts";
import type { McpServed } from "./served.ts";
import { standing } from "./standing.ts";
import { secretsOf } from "./start.ts";

/**
 * Passes on what was said to questions that are open still. False: something is asked, and no answer was given to any of
 * it. Another client may have been quicker: that is no fault.
 */
export async function takeAnswers(served: McpServed, run: string, responses: Responses): Promise<boolean> {
  const { record, session } = await standing(served, run);
  const { questions, permissions } = record;
  let hasAnswered = questions.length + permissions.length === 0;
  for (const one of permissions) {
    const decision = formDecision(one, responses[permissionKey(one)]);
    if (decision === null) continue;
    hasAnswered = true;
    await quietly(() => session.decide(decision.permission, decision.option));
  }
  for (const one of questions) {
    const answer = formAnswer(one, responses[questionKey(one)]);
    if (answer === null) continue;
    await quietly(() => answerRun(served, run, answer));
    return true; // an answer begins a turn: what else is asked is asked again when that has ended
  }
  return hasAnswered;
}

/** Answers a parked run, with the secrets that this process has for it. Resolves when its turn has begun. */
export async function answerRun(
  served: McpServed,
  run: string,
  { question, text }: { question?: string; text: string },
): Promise<void> {
  const { record } = await standing(served, run);
  const workflow = (await offer(served)).workflows.find(({ id }) => id === record.workflow);
  const inputs = workflow === undefined ? {} : secretsOf(workflow, served.environment);
  await served.troupe.answer(run, { text, inputs, ...(question === undefined ? {} : { question }) });
}

/** Who answered first has won. */
async function quietly(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code } = troupeError(error);
    if (code !== "USER.FACADE.DUPLICATE_RESPONSE" && code !== "USER.FACADE.INPUT_REJECTED") throw error;
  }
}
